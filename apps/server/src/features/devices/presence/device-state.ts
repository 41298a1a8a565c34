import type { DeviceState, OfflineReason } from '@tongtu/contract';

/** The columns that decide a device's state: of `device`, of its effective row of `device_presence`, and of that row's `relay`. */
export type StateFacts = {
  enabled: boolean;
  presenceOnline: boolean | null;
  changedAt: Date | null;
  offlineReason: string | null;
  relayLastSeenAt: Date | null;
  relayAlive: boolean | null;
};

/** Whether the device has a plan is not part of it. */
export type EffectiveState = {
  state: Exclude<DeviceState, 'plan_expired'>;
  since: Date | null;
  offlineReason: OfflineReason | null;
};

/** A device is online when a relay reports it, as long as that relay is alive. */
export function deviceStateOf(facts: StateFacts): EffectiveState {
  if (!facts.enabled) return { state: 'disabled', since: null, offlineReason: null };
  if (facts.presenceOnline === null) return { state: 'never_connected', since: null, offlineReason: null };
  if (!facts.presenceOnline) {
    // The column contains only values that were parsed as OfflineReason.
    return { state: 'offline', since: facts.changedAt, offlineReason: facts.offlineReason as OfflineReason };
  }
  if (facts.relayAlive === true) return { state: 'online', since: facts.changedAt, offlineReason: null };
  return { state: 'offline', since: facts.relayLastSeenAt, offlineReason: 'relay_lost' };
}
