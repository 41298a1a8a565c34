import { Radio, Select, Skeleton } from 'antd';
import type { InvitationReward, Plan } from '@tongtu/contract';
import { useState } from 'react';
import { momentText } from '../../../text/moment-text.ts';
import { claimText } from '../../../text/shop/invite.ts';
import { daysText } from '../../../text/shop/money.ts';
import { Dialog, nothingToKeep } from '../../../ui/dialog/dialog.tsx';
import { forgetFailure } from '../../../ui/fields/forget-failure.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import shopStyles from '../shop.module.css';
import { usePlans } from '../use-orders.ts';
import { useClaimReward } from './use-invitations.ts';

type As = 'days' | 'key';
type BoundPlan = Plan & { router: number };

function isBoundAndPaid(plan: Plan): plan is BoundPlan {
  return !plan.is_free && plan.router !== null;
}

type ClaimDialogProps = { reward: InvitationReward; onKey: (key: string) => void; onClose: () => void };

/** Takes a reward as days on a device, or as a key, which `onKey` shows. */
export function ClaimDialog({ reward, onKey, onClose }: ClaimDialogProps) {
  const query = usePlans();
  const plans = (query.data ?? []).filter(isBoundAndPaid);
  const [chosenAs, setAs] = useState<As>();
  const [chosenDevice, setDevice] = useState<number>();
  const claim = useClaimReward();
  const toast = useToast();
  const as = chosenAs ?? (plans.length > 0 ? 'days' : 'key');
  const plan = plans.find(({ router }) => router === chosenDevice) ?? (plans.length === 1 ? plans[0] : undefined);
  const days = daysText(reward.days);

  async function submit() {
    if (as === 'days' && plan === undefined) return;
    const body = as === 'key' ? { as } : { as, router: plan?.router };
    try {
      const { key } = await claim.mutateAsync({ id: reward.id, ...body });
      if (key !== null) {
        onKey(key);
        return;
      }
      toast.success(claimText.done(days, plan?.router_name ?? ''));
      onClose();
    } catch {
      // The dialog shows it.
    }
  }
  return (
    <Dialog
      title={claimText.title(days)}
      okText={claimText.submit}
      okButtonProps={{ disabled: query.isPending || (as === 'days' && plan === undefined) }}
      confirmLoading={claim.isPending}
      hasUnsavedInput={nothingToKeep}
      onOk={() => void submit()}
      onClose={onClose}
    >
      {query.isPending ? (
        <Skeleton active title={false} paragraph={{ rows: 2 }} />
      ) : (
        <div className={shopStyles.form}>
          <Radio.Group
            aria-label={claimText.as}
            className={shopStyles.options ?? ''}
            value={as}
            options={[
              { value: 'days', label: claimText.days, disabled: plans.length === 0 },
              { value: 'key', label: claimText.key },
            ]}
            onChange={(event) => {
              setAs(event.target.value === 'key' ? 'key' : 'days');
              forgetFailure(claim);
            }}
          />
          {plans.length === 0 && <p className={shopStyles.quiet}>{claimText.noDevice}</p>}
          {as === 'key' && <p className={shopStyles.quiet}>{claimText.keyHint}</p>}
          {as === 'days' && (
            <Select<number>
              aria-label={claimText.device}
              placeholder={claimText.device}
              {...(plan === undefined ? {} : { value: plan.router })}
              options={plans.map(({ router, router_name: name, ends_at: endsAt }) => ({
                value: router,
                label: claimText.until(name ?? '', momentText(endsAt)),
              }))}
              onChange={(id) => {
                setDevice(id);
                forgetFailure(claim);
              }}
            />
          )}
        </div>
      )}
      <Problem error={claim.error} />
    </Dialog>
  );
}
