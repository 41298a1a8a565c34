import { Button, Input } from 'antd';
import { type SubmitEvent, useId, useState } from 'react';
import { momentText } from '../../../text/moment-text.ts';
import { inviteText } from '../../../text/shop/invite.ts';
import { forgetFailure } from '../../../ui/fields/forget-failure.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import shopStyles from '../shop.module.css';
import styles from './invite.module.css';
import { useBindInvitation } from './use-invitations.ts';

const maxTypedLength = 32;

/** For somebody who came without the link of who invited them. */
export function BindForm({ until }: { until: string }) {
  const id = useId();
  const [code, setCode] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const bind = useBindInvitation();
  const toast = useToast();

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    const typed = code.trim();
    setIsMissing(typed === '');
    if (typed === '' || bind.isPending) return;
    // After a success the form is not shown any more, so the toast says it.
    bind.mutateAsync(typed).then(
      () => toast.success(inviteText.bound),
      () => undefined,
    );
  }
  return (
    <section className={shopStyles.panel} aria-labelledby={id}>
      <h2 className={shopStyles.panelTitle}>
        <label id={id} htmlFor={`${id}-code`}>
          {inviteText.bindTitle}
        </label>
      </h2>
      <p className={shopStyles.quiet}>{inviteText.bindHint(momentText(until))}</p>
      <form className={shopStyles.form} noValidate onSubmit={onSubmit}>
        <div className={styles.bind}>
          <Input
            id={`${id}-code`}
            value={code}
            maxLength={maxTypedLength}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            {...(isMissing || bind.isError ? { status: 'error', 'aria-invalid': true } : {})}
            onChange={(event) => {
              setCode(event.target.value);
              setIsMissing(false);
              forgetFailure(bind);
            }}
          />
          <Button htmlType="submit" loading={bind.isPending}>
            {inviteText.bind}
          </Button>
        </div>
        {isMissing && (
          <p role="alert" className={shopStyles.missing}>
            {inviteText.bindMissing}
          </p>
        )}
        <Problem error={bind.error} />
      </form>
    </section>
  );
}
