import { EllipsisOutlined } from '@ant-design/icons';
import { Button, Tag } from 'antd';
import type { Plan } from '@tongtu/contract';
import { visibleName } from '../../../text/devices/names.ts';
import { momentText } from '../../../text/moment-text.ts';
import { rateText } from '../../../text/shop/money.ts';
import { ordersText } from '../../../text/shop/orders.ts';
import { plansText, termsText } from '../../../text/shop/plans.ts';
import { MenuButton, type MenuEntry } from '../../../ui/menu/menu-button.tsx';
import { StateTag } from '../../../ui/state-tag.tsx';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useWallClock } from '../../../ui/time/use-wall-clock.ts';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
import styles from '../shop.module.css';
import { useUnbindPlan } from '../use-orders.ts';
import type { PlansDialog } from './plans-dialog.ts';

/** The first reminder is sent this long before the end. */
const soonMs = 7 * 86_400_000;
const agedEveryMs = 60_000;

type OwnPlanProps = { plan: Plan; isWanted: boolean; onOpen: (dialog: PlansDialog) => void };

export function OwnPlan({ plan, isWanted, onOpen }: OwnPlanProps) {
  const wallClockMs = useWallClock(agedEveryMs);
  const isSoon = Date.parse(plan.ends_at) - wallClockMs < soonMs;
  return (
    <li className={styles.row} data-wanted={isWanted} aria-label={plan.product.name}>
      <div className={styles.about}>
        <div className={styles.head}>
          <strong>{plan.product.name}</strong>
          {plan.is_free && <Tag>{plansText.free}</Tag>}
          {isSoon && !plan.is_free && <StateTag tone="caution">{plansText.endsSoon}</StateTag>}
        </div>
        <div className={styles.facts}>
          <span>{plan.router === null ? plansText.unbound : plansText.boundTo(deviceName(plan))}</span>
          <span>{plansText.ends(momentText(plan.ends_at))}</span>
          <span>{termsText.bandwidth(rateText(plan.product.bandwidth_bps))}</span>
          <span>{termsText.mappings(plan.product.mapping_limit)}</span>
        </div>
      </div>
      <div className={styles.actions}>
        {plan.renewal ? (
          <Button onClick={() => onOpen({ type: 'renew', plan: plan.id })}>{plansText.renew}</Button>
        ) : (
          <NoRenewal plan={plan} />
        )}
        {plan.upgrades.length > 0 && (
          <Button onClick={() => onOpen({ type: 'upgrade', plan: plan.id })}>{plansText.upgrade}</Button>
        )}
        <PlanMenu plan={plan} onOpen={onOpen} />
      </div>
    </li>
  );
}

/** Why there is no button. A free plan is taken anew, and its product says so. */
function NoRenewal({ plan: { is_free: isFree, renewable_from: from } }: { plan: Plan }) {
  if (isFree) return null;
  return <span className={styles.hint}>{from ? plansText.renewableFrom(momentText(from)) : plansText.unlisted}</span>;
}

function PlanMenu({ plan, onOpen }: Omit<OwnPlanProps, 'isWanted'>) {
  const unbind = useUnbindPlan();
  const confirm = useConfirm();
  const toastOutcome = useMutationToast();
  const { router, product } = plan;
  function askToUnbind(device: number) {
    confirm({
      title: plansText.unbindTitle(product.name, deviceName(plan)),
      text: plansText.unbindText,
      confirm: plansText.unbind,
      onConfirm: () => toastOutcome(unbind.mutateAsync({ plan: plan.id, device }), plansText.unbound2(product.name)),
    });
  }
  const entries: MenuEntry[] = [
    {
      key: 'bind',
      label: router === null ? plansText.bind : plansText.move,
      onSelect: () => onOpen({ type: 'bind', plan: plan.id }),
    },
    ...(router === null ? [] : [{ key: 'unbind', label: plansText.unbind, onSelect: () => askToUnbind(router) }]),
  ];
  return <MenuButton icon={<EllipsisOutlined />} aria-label={plansText.actions(product.name)} entries={entries} />;
}

function deviceName({ router_name: name }: Plan): string {
  return visibleName(name, ordersText.labels.device);
}
