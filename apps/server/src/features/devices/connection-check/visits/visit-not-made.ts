import type { ConnectionStep } from '@tongtu/contract';

const changed = '检测时这条映射或设备被停用、修改或删除了，请重新检测';

/** Failures of a visit that are none of the service, with the step that they belong to. */
const reasons = {
  'relay-busy': { step: 'relay', hint: '中继同时进行的检测太多，这次没有测完，请稍后重试' },
  'relay-failed': { step: 'relay', hint: '中继没能完成这次检测，请重试；如果仍然如此，请管理员查看中继的日志' },
  'relay-lost': { step: 'relay', hint: '检测时中继与控制台的连接中断了，请稍后重试' },
  'no-mapping': { step: 'relay', hint: changed },
  revoked: { step: 'relay', hint: changed },
  'device-busy': { step: 'agent', hint: '到这台设备的连接太多，这次没有测完，请稍后重试' },
  'too-many-connections': { step: 'agent', hint: '您的网络到这台设备的连接太多，这次没有测完，请关闭一些网页后重试' },
  'device-offline': { step: 'agent', hint: '检测时设备的连接断开了，请检查设备上的客户端是否在运行、能否上网' },
} as const satisfies Record<string, { step: ConnectionStep; hint: string }>;

export type NotMade = keyof typeof reasons;

export function isNotMade(failure: string | null): failure is NotMade {
  return failure !== null && Object.hasOwn(reasons, failure);
}

export function notMadeVerdict(why: NotMade): { ok: false; step: ConnectionStep; hint: string } {
  return { ok: false, ...reasons[why] };
}
