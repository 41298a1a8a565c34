import type { InvitationAff, Invitee } from '@tongtu/contract';
import { momentText } from '../../../text/moment-text.ts';
import { inviteText } from '../../../text/shop/invite.ts';
import { StateTag, type StateTone } from '../../../ui/state-tag.tsx';
import shopStyles from '../shop.module.css';
import { Figures } from './figures.tsx';

const tones: Record<keyof typeof inviteText.states, StateTone> = { paid: 'good', online: 'good', joined: 'muted' };

function stateOf({ has_paid: hasPaid, has_been_online: hasBeenOnline }: Invitee): keyof typeof inviteText.states {
  if (hasPaid) return 'paid';
  return hasBeenOnline ? 'online' : 'joined';
}

/** Who came, with masked names. */
export function Invitees({ aff }: { aff: InvitationAff }) {
  const { invitees, invited_count: invited, online_count: online, paid_count: paid } = aff;
  const { figures, people } = inviteText;
  return (
    <section className={shopStyles.panel} aria-labelledby="invitees">
      <h2 id="invitees" className={shopStyles.panelTitle}>
        {inviteText.inviteesTitle}
      </h2>
      <Figures
        figures={[
          { word: figures.invited, value: people(invited) },
          { word: figures.online, value: people(online) },
          { word: figures.paid, value: people(paid) },
        ]}
      />
      {invitees.length === 0 && <p className={shopStyles.quiet}>{inviteText.noInvitees}</p>}
      {invited > invitees.length && <p className={shopStyles.quiet}>{inviteText.newestOnly(invitees.length)}</p>}
      <ul className={shopStyles.list}>
        {invitees.map((invitee) => (
          <InviteeRow key={`${invitee.joined_at} ${invitee.username}`} invitee={invitee} />
        ))}
      </ul>
    </section>
  );
}

function InviteeRow({ invitee }: { invitee: Invitee }) {
  const state = stateOf(invitee);
  return (
    <li className={shopStyles.row}>
      <div className={shopStyles.head}>
        <strong>{invitee.username}</strong>
        <StateTag tone={tones[state]}>{inviteText.states[state]}</StateTag>
      </div>
      <div className={shopStyles.facts}>{inviteText.joinedAt(momentText(invitee.joined_at))}</div>
    </li>
  );
}
