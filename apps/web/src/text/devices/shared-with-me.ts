import type { Membership } from '@tongtu/contract';
import { deviceStateWords } from './device-states.ts';
import { errorportText } from '../gate/errorport.ts';
import { mappingText } from './mappings.ts';
import { quoted } from './names.ts';

/** The addresses that other people share with the user as a member. */
export const sharedWithMeText = {
  title: '他人共享给我的',
  hint: '别人把您添加为成员后，地址和远程应用会列在这里。',
  failed: '他人共享给我的地址加载失败',
  by: '由',
  shares: '共享',
  states: {
    online: deviceStateWords.online,
    offline: deviceStateWords.offline,
    never_connected: deviceStateWords.never_connected,
    disabled: mappingText.deviceDisabled,
    plan_expired: deviceStateWords.plan_expired,
    over_plan_limit: mappingText.overPlanLimit,
    mapping_disabled: mappingText.disabled,
    closed: mappingText.policy.closed,
    not_open_yet: mappingText.notOpenYet,
    outside_hours: '不在开放时段',
    unknown: errorportText.unknownTitle,
  } satisfies Record<Membership['state'], string>,
  showMore: (left: number) => `显示更多（还有 ${left} 个）`,
  leave: '退出共享',
  leaveLabel: (domain: string) => `退出共享 ${domain}`,
  leaveTitle: (domain: string) => `退出 ${domain} 的共享？`,
  leaveText: (owner: string) =>
    `您不再是它的成员：地址会从这里消失，您以成员身份打开的页面和连接立即断开。以后想再打开，需请${quoted(owner)}重新添加您。`,
  left: (domain: string) => `已退出 ${domain} 的共享`,
};
