import { Button } from 'antd';
import type { InvitationFacts } from '@tongtu/contract';
import { useNavigate } from 'react-router';
import { paths } from '../../../paths.ts';
import { joinText } from '../../../text/join.ts';
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
      {accept.isError && <FormError error={accept.error} />}
      {address === '' ? (
        <Button type="primary" size="large" block onClick={() => void toConsole()}>
          {joinText.toConsole}
        </Button>
      ) : (
        <Button
          type="primary"
          size="large"
          block
          loading={accept.isPending}
          onClick={() => accept.mutate(token, { onSuccess: () => void toConsole() })}
        >
          {joinText.accept(username)}
        </Button>
      )}
      {onOther && (
        <Button type="link" block className={styles.back ?? ''} onClick={onOther}>
          {joinText.otherAccount}
        </Button>
      )}
    </>
  );
}
