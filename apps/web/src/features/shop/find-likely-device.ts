import type { Device } from '@tongtu/contract';

/** The device that a plan is meant for: the only one of the account, as long as it lacks a valid plan. */
export function findLikelyDevice(devices: readonly Device[] = []): number | undefined {
  const [device] = devices;
  return devices.length === 1 && device?.state === 'plan_expired' ? device.id : undefined;
}
