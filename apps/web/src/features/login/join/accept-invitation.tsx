import type { InvitationFacts } from '@tongtu/contract';
import { useNavigate } from 'react-router';
import { paths } from '../../../routing/paths.ts';
import { joinText } from '../../../text/login/join.ts';
import { PlainButton } from '../../../ui/plain/plain-button.tsx';
import { FormError } from '../form-error.tsx';
import styles from '../login.module.css';
import { useAccept } from './use-join.ts';

type AcceptInvitationProps = {
  token: string;
  facts: InvitationFacts;
  /** Who is logged in. */
  username: string;
  /** Makes another account in place of that; undefined where the invitation does not allow it. */
  onOther: (() => void) | undefined;
};

/** For somebody who is logged in: an invitation to a mapping is accepted by this account. */
export function AcceptInvitation({ token, facts, username, onOther }: AcceptInvitationProps) {
  const { invited_by: inviter, address } = facts;
  const navigate = useNavigate();
  const accept = useAccept();
  const toConsole = async () => await navigate(paths.home, { replace: true });
  return (
    <>
      <h2 className={styles.title}>{joinText.loggedInAs(username)}</h2>
      <p className={styles.lead}>{address === '' ? joinText.needless : joinText.acceptHint(inviter, address)}</p>
      <FormError error={accept.error} />
      {address === '' ? (
        <PlainButton type="primary" isLarge isBlock onClick={() => void toConsole()}>
          {joinText.toConsole}
        </PlainButton>
      ) : (
        <PlainButton
          type="primary"
          isLarge
          isBlock
          isLoading={accept.isPending}
          onClick={() => accept.mutate(token, { onSuccess: () => void toConsole() })}
        >
          {joinText.accept(username)}
        </PlainButton>
      )}
      {onOther && (
        <div className={styles.back}>
          <PlainButton type="link" isBlock onClick={onOther}>
            {joinText.otherAccount}
          </PlainButton>
        </div>
      )}
    </>
  );
}
