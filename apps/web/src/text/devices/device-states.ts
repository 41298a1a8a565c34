import type { DeviceState } from '@tongtu/contract';

export const deviceStateWords: Record<DeviceState, string> = {
  online: '在线',
  offline: '离线',
  never_connected: '从未连接',
  disabled: '已停用',
  plan_expired: '套餐过期',
};

export const noPlanWord = '没有套餐';

/** Nothing has expired where there was no plan. */
export function deviceStateWord({ state, plan }: { state: DeviceState; plan: object | null }): string {
  return state === 'plan_expired' && plan === null ? noPlanWord : deviceStateWords[state];
}
