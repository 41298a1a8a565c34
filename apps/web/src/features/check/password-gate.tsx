import { KeyOutlined } from '@ant-design/icons-svg';
import type { CheckReply } from '@tongtu/contract';
import { MAX_ACCESS_PASSWORD_LENGTH } from '@tongtu/contract/limits';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { errorText } from '../../api/client/error-text.ts';
import { shownHost } from '../../address/shown-host.ts';
import { checkText } from '../../text/gate/check.ts';
import { Mono } from '../../ui/mono.tsx';
import { PlainButton } from '../../ui/plain/plain-button.tsx';
import { PlainField } from '../../ui/plain/plain-field.tsx';
import { PlainIcon } from '../../ui/plain/plain-icon.tsx';
import { PlainNotice } from '../../ui/plain/plain-notice.tsx';
import { StatusCard } from '../../ui/page/status-card.tsx';
import { AccountButton } from './account-button.tsx';
import styles from './check.module.css';
import type { GateDeps, Visit } from './gate-deps.ts';
import { HomeButton } from './home-button.tsx';
import { NetworkNote } from './network-note.tsx';
import { useEnterPassword } from './use-check.ts';

type PasswordFormProps = { deps: GateDeps; visit: Visit; onReply: (reply: CheckReply) => void };
type PasswordGateProps = PasswordFormProps & { reply: CheckReply; onLogIn: () => void };

function PasswordForm({ deps, visit, onReply }: PasswordFormProps) {
  const [password, setPassword] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const [isUnsolved, setIsUnsolved] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const enter = useEnterPassword(deps, visit, { onReply, onUnsolved: () => setIsUnsolved(true) });

  // After a refusal the user types a new password over the old one.
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, [enter.error]);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    setIsUnsolved(false);
    setIsMissing(password === '');
    if (password !== '') void enter.submit(password);
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-busy={enter.isPending}>
      {/* Not an account's password: password managers must neither fill in nor store it. */}
      <PlainField
        ref={input}
        label={checkText.password}
        isPassword
        value={password}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
          setIsMissing(false);
        }}
        error={isMissing ? checkText.passwordRequired : undefined}
        readOnly={enter.isPending}
        maxLength={MAX_ACCESS_PASSWORD_LENGTH}
        autoComplete="off"
        data-1p-ignore="true"
        data-lpignore="true"
      />
      {enter.error !== undefined && <PlainNotice type="error" text={errorText(enter.error)} />}
      {isUnsolved && <PlainNotice type="warning" text={checkText.captchaNeeded} />}
      <PlainButton type="primary" isLarge isBlock isSubmit isLoading={enter.isPending}>
        {checkText.enter}
      </PlainButton>
    </form>
  );
}

/** Asks for the mapping's access password; owner and members need none. */
export function PasswordGate({ reply, onLogIn, ...form }: PasswordGateProps) {
  const { deps } = form;
  return (
    <StatusCard
      tone="accent"
      icon={<PlainIcon of={KeyOutlined} />}
      title={checkText.passwordTitle}
      description={
        <>
          <Mono>{shownHost(reply.domain)}</Mono>
          <PasswordForm {...form} />
          <NetworkNote deps={deps} reply={reply} />
          <p className={styles.other}>{checkText.ownerOrMember}</p>
        </>
      }
      actions={
        <>
          <AccountButton deps={deps} reply={reply} onLogIn={onLogIn} />
          <HomeButton deps={deps} />
        </>
      }
    />
  );
}
