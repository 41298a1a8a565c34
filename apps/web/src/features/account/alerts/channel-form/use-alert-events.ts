import type { AlertEvent } from '@tongtu/contract';
import { useProfile, useSiteConfig } from '../../../../api/index.ts';
import { alertsText } from '../../../../text/account/alerts.ts';

const all = Object.keys(alertsText.event) as AlertEvent[]; // the table's keys are the events

const ofBilling: readonly AlertEvent[] = ['plan_expiring', 'plan_expired', 'ledger_unbalanced'];

/** The events that can happen to this account here: some only where there is billing, that of the ledger only to superusers. */
export function useAlertEvents(): AlertEvent[] {
  const isSuperuser = useProfile()?.is_superuser === true;
  const hasBilling = useSiteConfig()?.billing === 'on';
  return all.filter(
    (event) => (hasBilling || !ofBilling.includes(event)) && (isSuperuser || event !== 'ledger_unbalanced'),
  );
}
