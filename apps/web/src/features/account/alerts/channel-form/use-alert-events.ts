import type { AlertEvent } from '@tongtu/contract';
import { useProfile, useSiteConfig } from '../../../../api/index.ts';
import { alertsText } from '../../../../text/account/alerts.ts';

const all = Object.keys(alertsText.event) as AlertEvent[]; // the table's keys are the events

/** The events that can happen to this account here. Only superusers hear of the ledger, and only where there is one. */
export function useAlertEvents(): AlertEvent[] {
  const isSuperuser = useProfile()?.is_superuser === true;
  const hasBilling = useSiteConfig()?.billing === 'on';
  return all.filter((event) => event !== 'ledger_unbalanced' || (isSuperuser && hasBilling));
}
