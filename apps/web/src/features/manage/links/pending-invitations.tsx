import type { Invitation } from '@tongtu/contract';
import { errorText } from '../../../api/index.ts';
import { inviteText } from '../../../text/manage.ts';
import { visibleName } from '../../../text/devices/names.ts';
import { momentText } from '../../../text/moment-text.ts';
import { LoadFailure } from '../../../ui/page/load-failure.tsx';
import { ConfirmedButton } from '../../confirm/confirmed-button.tsx';
import styles from '../manage.module.css';
import { useInvitations, useRevokeInvitation } from '../use-managed-users.ts';

/** Invitations that can still be used; nothing where there are none. */
export function PendingInvitations() {
  const query = useInvitations();
  const { data: invitations = [], error } = query;
  const hasFailed = error !== null && query.data === undefined;
  if (invitations.length === 0 && !hasFailed) return null;
  return (
    <section className={styles.panel} aria-labelledby="pending-invitations">
      <h2 id="pending-invitations" className={styles.panelTitle}>
        {inviteText.pending}
      </h2>
      {hasFailed && <LoadFailure title={inviteText.pendingFailed} text={errorText(error)} query={query} />}
      <ul className={styles.list}>
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </section>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const revoke = useRevokeInvitation();
  const name = visibleName(invitation.note, invitation.email || inviteText.unnamed);
  return (
    <li className={styles.user} aria-label={name}>
      <div className={styles.userAbout}>
        <bdi className={styles.username}>{name}</bdi>
        <div className={styles.facts}>
          <span>{inviteText.by(invitation.invited_by, momentText(invitation.expires_at))}</span>
          {invitation.email !== '' && <span>{inviteText.mailed(invitation.email)}</span>}
        </div>
      </div>
      <ConfirmedButton
        size="small"
        danger
        question={{ title: inviteText.revokeTitle, text: inviteText.revokeText, confirm: inviteText.revoke }}
        run={() => revoke.mutateAsync(invitation.id)}
        isRunning={revoke.isPending}
        done={inviteText.revoked}
        aria-label={inviteText.revokeLabel(name)}
      />
    </li>
  );
}
