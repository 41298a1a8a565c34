import type { DeviceState, OfflineReason } from '@tongtu/contract';

/** The columns of `device`, the row of `device_presence` that speaks for it, and its `relay` that decide a device's state. */
export type StateFacts = {
  enabled: boolean;
  presenceOnline: boolean | null;
  changedAt: Date | null;
  offlineReason: string | null;
  relayLastSeenAt: Date | null;
  relayAlive: boolean | null;
};

export type EffectiveState = { state: DeviceState; since: Date | null; offlineReason: OfflineReason | null };

/** Online is what a relay says, as long as that relay itself is heard of. */
export function deviceStateOf(facts: StateFacts): EffectiveState {
  if (!facts.enabled) return { state: 'disabled', since: null, offlineReason: null };
  if (facts.presenceOnline === null) return { state: 'never_connected', since: null, offlineReason: null };
  if (!facts.presenceOnline) {
    // The column holds what OfflineReason parsed when the relay said it.
    return { state: 'offline', since: facts.changedAt, offlineReason: facts.offlineReason as OfflineReason };
  }
  if (facts.relayAlive === true) return { state: 'online', since: facts.changedAt, offlineReason: null };
  return { state: 'offline', since: facts.relayLastSeenAt, offlineReason: 'relay_lost' };
}
