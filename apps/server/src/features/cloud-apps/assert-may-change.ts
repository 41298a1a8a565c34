import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../db/driver.ts';
import { assertConfirmed, type Caller } from '../../http/session.ts';
import { listAppMemberIds } from './app-member-store.ts';
import { hasProtectedApp, type LockedApp, type updateCloudApp } from './cloud-app-store.ts';

type Changes = Parameters<typeof updateCloudApp>[2];
/** `forgetsHostKey`: it was asked for, whether or not there is one. */
type Wanted = { changes: Changes; forgetsHostKey: boolean };

/**
 * A change of an app that needs the second factor needs a confirmation, except for its name and switching it off. So does a
 * change that lets members in or leads them to another host, and one that allows old algorithms. Throws session.confirm-required.
 */
export async function assertMayChange(
  tx: Db,
  caller: Caller,
  before: LockedApp,
  { changes, forgetsHostKey }: Wanted,
): Promise<void> {
  if (caller.isConfirmed) return;
  const changed: object = Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => !isDeepStrictEqual(stored(before, name), value)),
  );
  const isSwitchedOn = changes.enabled === true && !before.enabled;
  const isMoved = 'targetHost' in changed || 'targetPort' in changed;
  if (before.needsSecondFactor) {
    const isHarmless = (name: string) => name === 'name' || (name === 'enabled' && !isSwitchedOn);
    if (forgetsHostKey || !Object.keys(changed).every(isHarmless)) assertConfirmed(caller);
    return;
  }
  // An attacker in the network could then read the password.
  if (changes.options?.old_algorithms === true && !before.options.old_algorithms) assertConfirmed(caller);
  if (isMoved && changes.needsSecondFactor !== true) await assertMayStayOpen(tx, caller);
  const leadsMembers = isMoved || isSwitchedOn || ('options' in changed && before.enabled);
  if (leadsMembers && (await listAppMemberIds(tx, before.id)).length > 0) assertConfirmed(caller);
}

/**
 * Where an app of the account needs the second factor, one without it needs a confirmation: it could lead to the same host,
 * which may have several names and be in the network of several devices. Throws session.confirm-required.
 */
export async function assertMayStayOpen(tx: Db, caller: Caller): Promise<void> {
  if (!caller.isConfirmed && (await hasProtectedApp(tx, caller.userId))) assertConfirmed(caller);
}

function stored(before: LockedApp, name: string): unknown {
  // Their columns have JSON, and the change has its text.
  return name === 'wakeTimes'
    ? JSON.stringify(before.wakeTimes)
    : new Map<string, unknown>(Object.entries(before)).get(name);
}
