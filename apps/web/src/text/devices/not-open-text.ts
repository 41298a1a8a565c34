import type { PublicRouterInfo } from '@tongtu/contract';
import { errorportText } from '../gate/errorport.ts';
import { describeOpening } from './opening-times.ts';
import { momentText } from '../moment-text.ts';

/** Why an address is closed at the moment because of its opening times. */
export function notOpenText(
  state: 'closed' | 'not_open_yet' | 'outside_hours',
  { opens_at: opensAt, closes_at: closedAt, hours }: Pick<PublicRouterInfo, 'opens_at' | 'closes_at' | 'hours'>,
): string {
  switch (state) {
    case 'closed':
      return closedAt === null ? errorportText.closed : errorportText.closedSince(momentText(closedAt));
    case 'not_open_yet':
      return opensAt === null ? errorportText.notOpenYet : errorportText.notOpenYetUntil(momentText(opensAt));
    case 'outside_hours': {
      const times = describeOpening({ opens_at: null, closes_at: null, hours });
      return times === undefined ? errorportText.outsideHours : errorportText.outsideTheseHours(times);
    }
  }
}
