import {
  ClockCircleOutlined,
  DisconnectOutlined,
  LinkOutlined,
  LockOutlined,
  StopOutlined,
  WalletOutlined,
} from '@ant-design/icons-svg';
import type { CheckReply, PublicRouterInfo } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { shownHost } from '../../../address/shown-host.ts';
import { checkText } from '../../../text/gate/check.ts';
import { describeOpening } from '../../../text/devices/opening-times.ts';
import { momentText } from '../../../text/moment-text.ts';
import { PlainIcon } from '../../../ui/plain/plain-icon.tsx';

type Explanation = { icon: ReactNode; title: string; text: string };
type Times = Pick<PublicRouterInfo, 'opens_at' | 'closes_at' | 'hours'>;

/** The reasons about time. The times themselves are fetched separately. */
export const timedReasons: readonly CheckReply['reason'][] = ['closed', 'not_open_yet', 'outside_hours'];

function explainTimes(reply: CheckReply, times: Times | undefined): Explanation {
  const { reason } = reply;
  const domain = shownHost(reply.domain);
  if (reason === 'not_open_yet') {
    const at = times?.opens_at ?? undefined;
    const text = at === undefined ? checkText.notOpenYet(domain) : checkText.notOpenYetUntil(domain, momentText(at));
    return { icon: <PlainIcon of={ClockCircleOutlined} />, title: checkText.notOpenYetTitle, text };
  }
  if (reason === 'outside_hours') {
    const hours = times && describeOpening({ opens_at: null, closes_at: null, hours: times.hours });
    const text = hours === undefined ? checkText.outsideHours(domain) : checkText.outsideTheseHours(domain, hours);
    return { icon: <PlainIcon of={ClockCircleOutlined} />, title: checkText.outsideHoursTitle, text };
  }
  const since = times?.closes_at ?? undefined;
  const text = since === undefined ? checkText.closed(domain) : checkText.closedSince(domain, momentText(since));
  return { icon: <PlainIcon of={StopOutlined} />, title: checkText.closedTitle, text };
}

/** Explains a refusal. */
export function explainRefusal(reply: CheckReply, times: Times | undefined): Explanation {
  const domain = shownHost(reply.domain);
  switch (reply.reason) {
    case 'closed':
    case 'not_open_yet':
    case 'outside_hours':
      return explainTimes(reply, times);
    case 'mapping_disabled':
      return {
        icon: <PlainIcon of={StopOutlined} />,
        title: checkText.mappingDisabledTitle,
        text: checkText.mappingDisabled(domain),
      };
    case 'device_disabled':
      return {
        icon: <PlainIcon of={StopOutlined} />,
        title: checkText.deviceDisabledTitle,
        text: checkText.deviceDisabled(domain),
      };
    case 'device_offline':
      return {
        icon: <PlainIcon of={DisconnectOutlined} />,
        title: checkText.deviceOfflineTitle,
        text: checkText.deviceOffline(domain),
      };
    case 'plan_expired':
    case 'over_plan_limit':
      return {
        icon: <PlainIcon of={WalletOutlined} />,
        title: checkText.planExpiredTitle,
        text: checkText.planExpired(domain),
      };
    case 'share_ended':
      return {
        icon: <PlainIcon of={LinkOutlined} />,
        title: checkText.shareEndedTitle,
        text: checkText.shareEnded(domain),
      };
    case 'address_only':
      return {
        icon: <PlainIcon of={LockOutlined} />,
        title: checkText.addressOnlyTitle,
        text: checkText.addressOnly(domain),
      };
    default:
      return {
        icon: <PlainIcon of={LinkOutlined} />,
        title: checkText.noSuchMappingTitle,
        text: checkText.noSuchMapping(domain),
      };
  }
}
