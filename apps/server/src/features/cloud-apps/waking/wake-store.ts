import type { CloudAppOptions, WakeResult } from '@tongtu/contract';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';
import type { Database } from '../../../db/schema.ts';
import { connectedRelays, isDeviceEnabled } from '../../devices/index.ts';

// The row's type and the query both follow from this list.
const columns = ['id', 'userId', 'who', 'ip', 'scheduledFor', 'result', 'createdAt'] as const;
export type WakeRow = Pick<Selectable<Database['cloudAppWake']>, (typeof columns)[number]>;

const MAX_LISTED = 20;

export async function findRelaysOfDevice(db: Db, deviceId: number): Promise<string[]> {
  const row = await db
    .selectFrom('device')
    .where('id', '=', deviceId)
    .select(connectedRelays().as('relayIds'))
    .executeTakeFirst();
  return row?.relayIds ?? [];
}

export async function insertWake(
  db: Db,
  wake: Omit<Insertable<Database['cloudAppWake']>, 'who' | 'userId'> & { userId: number },
): Promise<WakeRow> {
  return await db
    .insertInto('cloudAppWake')
    .values({ ...wake, who: sql<string>`(select username from user_account where id = ${wake.userId})` })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Latest first. `onlyOf`: those of this account and of the schedule. */
export async function listWakes(db: Db, appId: number, onlyOf: number | undefined): Promise<WakeRow[]> {
  return await db
    .selectFrom('cloudAppWake')
    .where('appId', '=', appId)
    .$if(onlyOf !== undefined, (query) =>
      query.where((eb) => eb.or([eb('userId', '=', onlyOf ?? 0), eb('scheduledFor', 'is not', null)])),
    )
    .select(columns)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute();
}

/** When the packet was last sent, within the last ten minutes. */
export async function findRecentWake(db: Db, appId: number): Promise<Date | undefined> {
  const row = await db
    .selectFrom('cloudAppWake')
    .where('appId', '=', appId)
    .where('result', '=', 'sent')
    .where(sql<boolean>`created_at > now() - interval '10 minutes'`)
    .select('createdAt')
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.createdAt;
}

/** A minute of a schedule, by Beijing time. */
export type ScheduleMinute = { startsAt: Date; weekday: number; clock: string };
export type DueApp = { id: number; deviceId: number; options: CloudAppOptions; relayIds: string[] };

/** The apps that are to be woken in this minute and that no process has taken yet. */
export async function listDueApps(db: Db, { startsAt, weekday, clock }: ScheduleMinute): Promise<DueApp[]> {
  const due = JSON.stringify([{ at: clock, days: [weekday] }]);
  return await db
    .selectFrom('cloudApp')
    .innerJoin('device', 'device.id', 'cloudApp.deviceId')
    .where(sql<boolean>`cloud_app.wake_times <> '[]' and cloud_app.wake_times @> ${due}::jsonb`)
    .where('cloudApp.kind', '=', 'wol')
    .where('cloudApp.enabled', '=', true)
    .where(isDeviceEnabled())
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('cloudAppWake')
            .whereRef('appId', '=', 'cloudApp.id')
            .where('scheduledFor', '=', startsAt)
            .select('cloudAppWake.id'),
        ),
      ),
    )
    .select(['cloudApp.id', 'cloudApp.deviceId', 'cloudApp.options'])
    .select(connectedRelays().as('relayIds'))
    .orderBy('cloudApp.id')
    .execute();
}

/**
 * Takes a minute of the schedule for this process: undefined when another one has it, or the app is deleted. Until the result
 * is stored the row says `failed`, which is right if the process dies now: nobody tries again.
 */
export async function claimScheduledWake(
  db: Db,
  { appId, startsAt }: { appId: number; startsAt: Date },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into cloud_app_wake (app_id, who, scheduled_for, result)
    select id, '', ${startsAt}, 'failed' from cloud_app where id = ${appId} for key share
    on conflict (app_id, scheduled_for) do nothing
    returning id`.execute(db);
  return rows[0]?.id;
}

export async function storeWakeResult(db: Db, id: number, result: WakeResult): Promise<void> {
  await db.updateTable('cloudAppWake').set({ result }).where('id', '=', id).execute();
}

/** Deletes records after as long as those of sessions are kept. */
export async function deleteOldWakes(db: Db): Promise<void> {
  await db
    .deleteFrom('cloudAppWake')
    .where(sql<boolean>`created_at < now() - interval '90 days'`)
    .execute();
}
