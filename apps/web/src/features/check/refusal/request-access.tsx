import type { CheckReply } from '@tongtu/contract';
import { MAX_REMARK_LENGTH } from '@tongtu/contract/limits';
import { type FormEvent, useId, useState } from 'react';
import { checkText } from '../../../text/gate/check.ts';
import styles from './request-access.module.css';

type RequestAccessProps = {
  reply: CheckReply;
  /** Of the last try; empty without one. */
  problem: string;
  isSending: boolean;
  onRequest: (message: string) => void;
};

/** Asks the owner to let this account in, or says how the request stands. It needs no component library. */
export function RequestAccess({ reply, problem, isSending, onRequest }: RequestAccessProps) {
  const id = useId();
  const [message, setMessage] = useState('');
  if (reply.request === 'pending') {
    return (
      <p role="status" className={styles.state}>
        {checkText.requestPending}
      </p>
    );
  }
  if (reply.request === 'refused') return <p className={styles.state}>{checkText.requestRefused}</p>;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isSending) onRequest(message.trim());
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <label htmlFor={id}>{checkText.requestMessage}</label>
      <div className={styles.line}>
        <input
          id={id}
          value={message}
          maxLength={MAX_REMARK_LENGTH}
          placeholder={checkText.requestPlaceholder}
          autoComplete="off"
          onChange={({ target }) => setMessage(target.value)}
        />
        <button type="submit" aria-disabled={isSending}>
          {checkText.request}
        </button>
      </div>
      {problem !== '' && <p role="alert">{problem}</p>}
    </form>
  );
}
