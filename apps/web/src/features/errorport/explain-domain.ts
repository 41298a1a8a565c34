import type { PublicRouterInfo } from '@tongtu/contract';
import { offlineReasonTexts } from '@tongtu/contract/offline-reasons';
import { errorportText } from '../../text/gate/errorport.ts';
import { notOpenText } from '../../text/devices/not-open-text.ts';

export type Explanation = { tone: 'good' | 'caution'; title: string; text: string };

/** Explains why `domain` does not open. The server repeats it only when it can be a host name. */
export function explainDomain(info: PublicRouterInfo, domain: string): Explanation {
  switch (info.state) {
    case 'online':
      return { tone: 'good', title: errorportText.onlineTitle, text: errorportText.online };
    case 'offline': {
      const reason = info.offline_reason === null ? '' : `${offlineReasonTexts[info.offline_reason]}。`;
      return { tone: 'caution', title: errorportText.offlineTitle, text: `${reason}${errorportText.offlineHint}` };
    }
    case 'never_connected':
      return { tone: 'caution', title: errorportText.neverTitle, text: errorportText.never };
    case 'disabled':
      return { tone: 'caution', title: errorportText.disabledTitle, text: errorportText.disabled };
    case 'plan_expired':
      return { tone: 'caution', title: errorportText.planExpiredTitle, text: errorportText.planExpired };
    case 'over_plan_limit':
      return { tone: 'caution', title: errorportText.overPlanLimitTitle, text: errorportText.overPlanLimit };
    case 'mapping_disabled':
      return { tone: 'caution', title: errorportText.mappingDisabledTitle, text: errorportText.mappingDisabled };
    case 'closed':
      return { tone: 'caution', title: errorportText.closedTitle, text: notOpenText(info.state, info) };
    case 'not_open_yet':
      return { tone: 'caution', title: errorportText.notOpenYetTitle, text: notOpenText(info.state, info) };
    case 'outside_hours':
      return { tone: 'caution', title: errorportText.outsideHoursTitle, text: notOpenText(info.state, info) };
    case 'unknown':
      return { tone: 'caution', title: errorportText.unknownTitle, text: errorportText.unknown(domain) };
  }
}
