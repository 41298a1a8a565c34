import { AppError, type ProbeResult, type WakeResult } from '@tongtu/contract';

type Reached = { relayIds: readonly string[]; deviceId: number };

/** What a device does in its network. Undefined when its relays are connected to other server processes. */
export type DeviceLink = {
  isConnectedTo(relayIds: readonly string[]): boolean;
  probe(target: { relayIds: string[]; deviceId: number; mappingId: number }): Promise<ProbeResult | undefined>;
  wake(target: Reached & { mac: string }): Promise<ProbeResult | undefined>;
};

/** Has the device broadcast the packet that wakes a host. Never throws for what may happen to devices. */
export async function wakeByDevice(
  devices: Pick<DeviceLink, 'wake'>,
  { relayIds, deviceId, mac }: Reached & { mac: string },
): Promise<WakeResult> {
  if (relayIds.length === 0) return 'device-offline';
  const result = await devices.wake({ relayIds, deviceId, mac });
  if (result === undefined) return 'failed';
  if (result.ok) return 'sent';
  return deviceProblem(result) ?? 'failed';
}

/** What keeps the device from doing anything at all; undefined when it did try. */
export function deviceProblem({
  step,
  seen,
}: ProbeResult): 'device-offline' | 'agent-outdated' | 'no-wake-proxy' | undefined {
  if (step === 'agent' && seen === 'offline') return 'device-offline';
  if (step === 'agent' && seen === 'outdated') return 'agent-outdated';
  if (step === 'agent' && seen === 'frpc_no_wake') return 'no-wake-proxy';
  return undefined;
}

/** Throws what the caller can do something about; nothing for `sent`. */
export function assertSent(result: WakeResult): void {
  switch (result) {
    case 'sent':
      return;
    case 'device-offline':
      throw new AppError('cloud-app.device-offline');
    case 'agent-outdated':
      throw new AppError('cloud-app.agent-outdated');
    case 'no-wake-proxy':
      throw new AppError('cloud-app.no-wake-proxy');
    case 'failed':
      throw new AppError('cloud-app.wake-failed');
  }
}
