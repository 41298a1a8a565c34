import type { DeviceState } from '@tongtu/contract';

export const deviceStateWords: Record<DeviceState, string> = {
  online: '在线',
  offline: '离线',
  never_connected: '从未连接',
  disabled: '已停用',
  plan_expired: '套餐过期',
};
