import type { InvitationAff } from '@tongtu/contract';
import { Link } from 'react-router';
import { paths } from '../../../routing/paths.ts';
import { inviteText } from '../../../text/shop/invite.ts';
import { plansText } from '../../../text/shop/plans.ts';
import { Loaded } from '../loaded.tsx';
import styles from '../shop.module.css';
import { WithBilling } from '../with-billing.tsx';
import { BindForm } from './bind-form.tsx';
import { Invitees } from './invitees.tsx';
import { OwnLink } from './own-link.tsx';
import { Rewards } from './rewards.tsx';
import { useInvitationAff } from './use-invitations.ts';

/** Inviting friends: one's link, who came, and the rewards for it. */
export function InvitePage() {
  return (
    <WithBilling>
      <Invite />
    </WithBilling>
  );
}

function Invite() {
  const aff = useInvitationAff();
  return (
    <div className={styles.page}>
      <div className={styles.pageHead}>
        <h1>{inviteText.title}</h1>
        <nav className={styles.links} aria-label={inviteText.title}>
          <Link to={paths.plans}>{plansText.title}</Link>
          <Link to={paths.productKeys}>{plansText.keys}</Link>
        </nav>
      </div>
      <Loaded query={aff} failed={inviteText.failed}>
        {(content) => <Sections aff={content} />}
      </Loaded>
    </div>
  );
}

function Sections({ aff }: { aff: InvitationAff }) {
  return (
    <>
      <OwnLink aff={aff} />
      <Rewards aff={aff} />
      <Invitees aff={aff} />
      {aff.can_bind_until !== null && <BindForm until={aff.can_bind_until} />}
      {aff.invited_by !== '' && <p className={styles.quiet}>{inviteText.invitedBy(aff.invited_by)}</p>}
    </>
  );
}
