import { Button, Modal, Spin } from 'antd';
import type { CaptchaPurpose, CaptchaType } from '@tongtu/contract';
import { useCallback, useEffect, useState } from 'react';
import { errorCode, errorText, useSiteConfig } from '../../api/index.ts';
import { captchaDialogText } from '../../text/captcha.ts';
import { CaptchaPicture } from './captcha-picture.tsx';
import styles from './captcha-dialog.module.css';
import { EmailWay } from './email-way.tsx';
import { type Answer, useChallenge } from './use-challenge.ts';

/** The widgets with their padding (specification §9). */
const widthPx = 324;

type CaptchaDialogProps = { purpose: CaptchaPurpose; onDone: (ticket: string | undefined) => void };

function PictureWay({ purpose, onDone }: CaptchaDialogProps) {
  const [message, setMessage] = useState('');
  const tellExpired = useCallback(() => setMessage(captchaDialogText.expired), []);
  const { challenge, loadError, renew, judge } = useChallenge(purpose, tellExpired);
  // Between two pictures the widget of the last one stays, so that nothing jumps.
  const [type, setType] = useState<CaptchaType>('click');
  useEffect(() => {
    if (challenge) setType(challenge.type);
  }, [challenge]);

  function answer(given: Answer, reset: () => void) {
    if (!challenge || judge.isPending) return;
    setMessage('');
    judge.mutate(
      { key: challenge.key, answer: given },
      {
        onSuccess: ({ ticket }) => onDone(ticket),
        onError(error) {
          reset();
          setMessage(errorCode(error) === 'captcha.wrong' ? captchaDialogText.wrong : errorText(error));
        },
      },
    );
  }
  function refresh() {
    setMessage('');
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
    <>
      <CaptchaPicture
        challenge={challenge}
        type={type}
        isDisabled={judge.isPending}
        placeholder={placeholder}
        onAnswer={answer}
        onRefresh={refresh}
        onClose={() => onDone(undefined)}
      />
      <p className={styles.message} role="status">
        {judge.isPending ? captchaDialogText.judging : message}
      </p>
    </>
  );
}

/** Asks for a captcha until it is solved or closed. */
export function CaptchaDialog({ purpose, onDone }: CaptchaDialogProps) {
  const [isByEmail, setIsByEmail] = useState(false);
  const hasMail = useSiteConfig()?.mail_codes === true;
  return (
    <Modal
      open
      centered
      width={widthPx}
      title={<span className={styles.hiddenTitle}>{captchaDialogText.title}</span>}
      closable={false}
      footer={null}
      onCancel={() => onDone(undefined)}
      style={{ maxWidth: 'calc(100vw - 16px)' }}
      styles={{ container: { padding: 0 }, header: { margin: 0 } }}
      mask={{ closable: false }}
    >
      {isByEmail ? (
        <EmailWay purpose={purpose} onDone={onDone} onBack={() => setIsByEmail(false)} />
      ) : (
        <>
          <PictureWay purpose={purpose} onDone={onDone} />
          <div className={styles.otherWay}>
            {hasMail && (
              <Button type="link" onClick={() => setIsByEmail(true)}>
                {captchaDialogText.byEmail}
              </Button>
            )}
          </div>
        </>
      )}
    </Modal>
  );
}
