import { AlertTarget, type AlertEvent } from '@tongtu/contract';
import { pino } from 'pino';
import type { Db } from '../../../db/driver.ts';
import { testKeys } from '../../../testing/apps/open-account-app.ts';
import type { AlertDetails } from '../alert-details.ts';
import type { SenderDeps } from '../sending/alert-sender.ts';
import { insertChannel } from '../channel-store.ts';
import { sealTarget } from '../sending/channel-target.ts';
import { resolveAll } from '../../../http/public-address.ts';

const { sealingKey } = testKeys;
const allEvents: AlertEvent[] = ['device_offline', 'device_online', 'new_login'];

/** Messages may go to this machine, and there is no mail server. */
export function senderDeps(db: Db, more: Partial<SenderDeps> = {}): SenderDeps {
  return {
    db,
    sealingKey,
    consoleUrl: 'https://tongtu.example.com',
    allowedAddresses: 'any',
    resolve: resolveAll,
    mailer: undefined,
    log: pino({ level: 'silent' }),
    ...more,
  };
}

export async function addTestChannel(
  db: Db,
  userId: number,
  { target = { kind: 'email' }, events = allEvents }: { target?: AlertTarget; events?: AlertEvent[] } = {},
): Promise<number> {
  const sealed = sealTarget({ sealingKey, allowedAddresses: 'any' }, { userId }, AlertTarget.parse(target));
  const channel = { ...sealed, userId, kind: target.kind, name: '告警群', events };
  const id = await db.transaction().execute(async (tx) => await insertChannel(tx, channel, 10));
  if (id === undefined) throw new Error('the account has too many channels');
  return id;
}

export function offlineDetails(...devices: { id: number; name?: string; since?: string }[]): AlertDetails {
  return {
    event: 'device_offline',
    devices: devices.map(({ id, name = 'NAS', since = '2026-11-21T08:00:00.000Z' }) => {
      return { id, uid: '0123456789ab', name, since, reason: 'connection_lost' as const };
    }),
  };
}
