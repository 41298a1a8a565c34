import { AppError, type AgentUpgradeOffer, type ErrorCode, type ProbeResult } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { agentUpgrade } from '../agent-downloads/index.ts';
import { type AuditActor, recordAuditEntry } from '../audit/index.ts';
import type { DeviceRow } from '../devices/index.ts';

export type UpgradeDeps = {
  db: Db;
  version: string;
  makeOffer: () => Promise<AgentUpgradeOffer>;
  /** Undefined if none of the device's relays is connected to this server process. */
  upgrade: (target: {
    relayIds: readonly string[];
    deviceId: number;
    offer: AgentUpgradeOffer;
  }) => Promise<ProbeResult | undefined>;
};

/** Whether the device runs an older agent than the one that this server hands out. */
export function isOutdated(deps: Pick<UpgradeDeps, 'version'>, device: Pick<DeviceRow, 'agentVersion'>): boolean {
  return agentUpgrade(device.agentVersion ?? '', deps.version) !== null;
}

/** Throws AppError when the device needs no upgrade, or is offline. */
export function assertCanUpgrade(deps: Pick<UpgradeDeps, 'version'>, device: DeviceRow): void {
  if (!isOutdated(deps, device)) throw new AppError('agent.up-to-date');
  if (device.relayIds.length === 0) throw new AppError('agent.offline');
}

/** Has a device start anew with this server's agent. Throws AppError when it does not. */
export async function upgradeDevice(deps: UpgradeDeps, actor: AuditActor, device: DeviceRow): Promise<void> {
  const offer = await deps.makeOffer();
  const result = await deps.upgrade({ relayIds: device.relayIds, deviceId: device.id, offer });
  if (result === undefined) throw new AppError('server.unavailable');
  // The cause is what the device has said, for the log.
  if (!result.ok) throw new AppError(failureOf(result), { cause: new Error(`${result.step}: ${result.seen}`) });
  await recordAuditEntry(deps.db, actor, {
    action: 'device.upgraded',
    object: { type: 'device', id: device.id, name: device.name },
    before: { version: device.agentVersion },
    after: { version: offer.version },
  });
}

function failureOf({ step, seen }: ProbeResult): ErrorCode {
  if (step === 'agent' && seen === 'offline') return 'agent.offline';
  if (seen === 'bad-signature') return 'agent.upgrade-refused';
  if (seen === 'outdated' || seen === 'no-key') return 'agent.cannot-upgrade';
  return 'agent.upgrade-failed';
}
