import { Button } from 'antd';
import type { InvitationAff, InvitationReward } from '@tongtu/contract';
import { useState } from 'react';
import { momentText } from '../../../text/moment-text.ts';
import { rewardText } from '../../../text/shop/invite.ts';
import { daysText } from '../../../text/shop/money.ts';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { Pages } from '../../../ui/page/pages.tsx';
import { StateTag, type StateTone } from '../../../ui/state-tag.tsx';
import { KeyQrDialog } from '../keys/list/key-qr-dialog.tsx';
import { Loaded } from '../loaded.tsx';
import shopStyles from '../shop.module.css';
import { ClaimDialog } from './claim-dialog.tsx';
import { Figures } from './figures.tsx';
import { pageSize, useRewards } from './use-invitations.ts';

const tones: Record<InvitationReward['status'], StateTone> = {
  pending: 'caution',
  claimable: 'good',
  claimed: 'muted',
  void: 'bad',
};

type RewardDialog = { type: 'claim'; reward: InvitationReward } | { type: 'key'; key: string };

export function Rewards({ aff }: { aff: InvitationAff }) {
  const [page, setPage] = useState(1);
  const [dialog, setDialog] = useState<RewardDialog>();
  const rewards = useRewards(page);
  const { figures } = rewardText;
  const onClose = () => setDialog(undefined);
  return (
    <section className={shopStyles.panel} aria-labelledby="rewards">
      <h2 id="rewards" className={shopStyles.panelTitle}>
        {rewardText.title}
      </h2>
      <Figures
        figures={[
          { word: figures.claimable, value: rewardText.sum(aff.claimable_days) },
          { word: figures.pending, value: rewardText.sum(aff.pending_days) },
          { word: figures.claimed, value: rewardText.sum(aff.claimed_days) },
        ]}
      />
      <Loaded query={rewards} failed={rewardText.failed}>
        {({ count, results }) => (
          <>
            {count === 0 && <EmptyState title={rewardText.empty} text={rewardText.emptyText} />}
            <ul className={shopStyles.list}>
              {results.map((reward) => (
                <RewardRow key={reward.id} reward={reward} onClaim={() => setDialog({ type: 'claim', reward })} />
              ))}
            </ul>
            <Pages label={rewardText.pages} page={page} pageSize={pageSize} count={count} onChange={setPage} />
          </>
        )}
      </Loaded>
      {dialog?.type === 'claim' && (
        <ClaimDialog reward={dialog.reward} onKey={(key) => setDialog({ type: 'key', key })} onClose={onClose} />
      )}
      {dialog?.type === 'key' && <KeyQrDialog text={dialog.key} onClose={onClose} />}
    </section>
  );
}

function RewardRow({ reward, onClaim }: { reward: InvitationReward; onClaim: () => void }) {
  const { event, status, days, invitee } = reward;
  return (
    <li className={shopStyles.row}>
      <div className={shopStyles.about}>
        <div className={shopStyles.head}>
          <strong>{daysText(days)}</strong>
          <span>{rewardText.events[event]}</span>
          <StateTag tone={tones[status]}>{rewardText.statuses[status]}</StateTag>
        </div>
        <div className={shopStyles.facts}>
          <span>{rewardText.from(invitee)}</span>
          <StateFact reward={reward} />
        </div>
      </div>
      {status === 'claimable' && (
        <Button type="primary" aria-label={rewardText.claimLabel(daysText(days), invitee)} onClick={onClaim}>
          {rewardText.claim}
        </Button>
      )}
    </li>
  );
}

/** What belongs to the state: when, as what, or why not. */
function StateFact({ reward }: { reward: InvitationReward }) {
  const { status, claimable_at: claimableAt, claimed_at: claimedAt, claimed_as: claimedAs } = reward;
  if (status === 'pending' && claimableAt !== null) {
    return <span>{rewardText.claimableAt(momentText(claimableAt))}</span>;
  }
  if (reward.void_reason !== null) return <span>{rewardText.voidReasons[reward.void_reason]}</span>;
  if (claimedAs === null || claimedAt === null) return null;
  return (
    <>
      <span>{rewardText.claimedAs[claimedAs]}</span>
      <span>{rewardText.claimedAt(momentText(claimedAt))}</span>
    </>
  );
}
