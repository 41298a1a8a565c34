import type { PublicRouterInfo } from '@tongtu/contract';
import { offlineReasonTexts } from '@tongtu/contract/offline-reasons';
import { errorportText } from '../../text/errorport.ts';
import { describeOpening } from '../../text/opening-times.ts';
import { momentText } from '../../text/time.ts';

export type Explanation = { tone: 'good' | 'caution'; title: string; text: string };

function closedText({ closes_at: closedAt }: PublicRouterInfo): string {
  return closedAt === null ? errorportText.closed : errorportText.closedSince(momentText(closedAt));
}

function notOpenYetText({ opens_at: opensAt }: PublicRouterInfo): string {
  return opensAt === null ? errorportText.notOpenYet : errorportText.notOpenYetUntil(momentText(opensAt));
}

function outsideHoursText({ hours }: PublicRouterInfo): string {
  const told = describeOpening({ opens_at: null, closes_at: null, hours });
  return told === undefined ? errorportText.outsideHours : errorportText.outsideTheseHours(told);
}

/** Why `domain` does not open, in plain words; the server repeats it only when it may be a name at all. */
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
    case 'mapping_disabled':
      return { tone: 'caution', title: errorportText.mappingDisabledTitle, text: errorportText.mappingDisabled };
    case 'closed':
      return { tone: 'caution', title: errorportText.closedTitle, text: closedText(info) };
    case 'not_open_yet':
      return { tone: 'caution', title: errorportText.notOpenYetTitle, text: notOpenYetText(info) };
    case 'outside_hours':
      return { tone: 'caution', title: errorportText.outsideHoursTitle, text: outsideHoursText(info) };
    case 'unknown':
      return { tone: 'caution', title: errorportText.unknownTitle, text: errorportText.unknown(domain) };
  }
}
