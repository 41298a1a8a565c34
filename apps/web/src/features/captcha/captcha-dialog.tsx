import { Button, Spin } from 'antd';
import type { CaptchaPurpose, CaptchaType } from '@tongtu/contract';
import { useCallback, useState } from 'react';
import { errorCode, errorText, useSiteConfig } from '../../api/index.ts';
import { captchaDialogText } from '../../text/login/captcha.ts';
import { Dialog, nothingToKeep } from '../../ui/dialog/dialog.tsx';
import { usePageLeft } from '../../ui/dialog/use-open-dialog.ts';
import { useFocusFallback } from '../../ui/use-focus-fallback.ts';
import { CaptchaPuzzle } from './captcha-puzzle.tsx';
import styles from './captcha-dialog.module.css';
import { EmailChallenge } from './email-challenge.tsx';
import type { SolveOptions } from './create-captcha.ts';
import { type Answer, useChallenge } from './use-challenge.ts';

/** The width of a widget with its padding (specification §9). */
const widthPx = 324;

type CaptchaDialogProps = Omit<SolveOptions, 'pageHref'> & {
  purpose: CaptchaPurpose;
  onDone: (ticket: string | undefined) => void;
};

type Message = { tone: 'good' | 'bad'; text: string };
const noMessage: Message = { tone: 'bad', text: '' };

function messageOf(error: unknown): Message {
  const code = errorCode(error);
  if (code === 'captcha.wrong') return { tone: 'bad', text: captchaDialogText.wrong };
  return { tone: code === 'captcha.once-more' ? 'good' : 'bad', text: errorText(error) };
}

function ImageChallenge({ purpose, notice, firstKey, onDone }: CaptchaDialogProps) {
  const [message, setMessage] = useState<Message>(notice === undefined ? noMessage : { tone: 'bad', text: notice });
  const showExpired = useCallback(() => setMessage({ tone: 'bad', text: captchaDialogText.expired }), []);
  const { challenge, loadError, renew, checkAnswer } = useChallenge({ purpose, firstKey }, showExpired);
  // The previous widget stays between two challenges, so that nothing jumps.
  const [type, setType] = useState<CaptchaType>('click');
  if (challenge && challenge.type !== type) setType(challenge.type);

  // A new kind of challenge replaces the widget, and with it the focused element.
  const focusFallback = useFocusFallback();

  function answer(given: Answer, reset: () => void) {
    if (!challenge || checkAnswer.isPending) return;
    setMessage(noMessage);
    checkAnswer.mutate(
      { key: challenge.key, answer: given },
      {
        onSuccess: ({ ticket }) => onDone(ticket),
        onError(error) {
          reset();
          setMessage(messageOf(error));
        },
      },
    );
  }
  function refresh() {
    setMessage(noMessage);
    renew();
  }

  const placeholder = loadError ? (
    <span className={styles.placeholder}>
      <span role="alert">{errorText(loadError)}</span>
      <Button onClick={refresh}>{captchaDialogText.retry}</Button>
    </span>
  ) : (
    <span className={styles.placeholder}>
      <Spin aria-label={captchaDialogText.loading} />
    </span>
  );
  return (
    <div {...focusFallback}>
      <CaptchaPuzzle
        challenge={challenge}
        type={type}
        isDisabled={checkAnswer.isPending}
        placeholder={placeholder}
        onAnswer={answer}
        onRefresh={refresh}
        onClose={() => onDone(undefined)}
      />
      <p className={`${styles.message} ${styles[checkAnswer.isPending ? 'neutral' : message.tone]}`} role="status">
        {checkAnswer.isPending ? captchaDialogText.checking : message.text}
      </p>
    </div>
  );
}

/** Shows captchas until one is solved, or the user closes the dialog or goes to another page. */
export function CaptchaDialog({ purpose, notice, firstKey, onDone }: CaptchaDialogProps) {
  const [isByEmail, setIsByEmail] = useState(false);
  const hasMail = useSiteConfig()?.mail_codes === true;
  usePageLeft(() => onDone(undefined));
  return (
    <Dialog
      centered
      width={widthPx}
      title={<span className={styles.hiddenTitle}>{captchaDialogText.title}</span>}
      closable={false}
      footer={null}
      onClose={() => onDone(undefined)}
      hasUnsavedInput={nothingToKeep}
      style={{ maxWidth: 'calc(100vw - 16px)' }}
      styles={{ container: { padding: 0 }, header: { margin: 0 } }}
      isMaskInert
    >
      {isByEmail ? (
        <EmailChallenge purpose={purpose} onDone={onDone} onBack={() => setIsByEmail(false)} />
      ) : (
        <>
          <ImageChallenge purpose={purpose} notice={notice} firstKey={firstKey} onDone={onDone} />
          <div className={styles.otherMethod}>
            {hasMail && (
              <Button type="link" onClick={() => setIsByEmail(true)}>
                {captchaDialogText.byEmail}
              </Button>
            )}
          </div>
        </>
      )}
    </Dialog>
  );
}
