import type { Membership } from '@tongtu/contract';
import { offlineReasonTexts } from '@tongtu/contract/offline-reasons';
import { errorportText } from '../../../text/gate/errorport.ts';
import { notOpenText } from '../../../text/devices/not-open-text.ts';

/** Why an address cannot be opened now, for a member, who cannot change it. Empty where the state alone explains it. */
export function reasonOf(membership: Membership): string {
  switch (membership.state) {
    case 'online':
    case 'never_connected':
    case 'unknown':
      return '';
    case 'offline':
      return membership.offline_reason === null ? '' : offlineReasonTexts[membership.offline_reason];
    case 'disabled':
      return errorportText.disabled;
    case 'plan_expired':
      return errorportText.planExpired;
    case 'over_plan_limit':
      return errorportText.overPlanLimit;
    case 'mapping_disabled':
      return errorportText.mappingDisabled;
    case 'closed':
    case 'not_open_yet':
    case 'outside_hours':
      return notOpenText(membership.state, membership);
  }
}
