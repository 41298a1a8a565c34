import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { KEEP_NETWORKS_DAYS } from './reward-rules.ts';

/**
 * Whether two accounts seem to belong to one person: they had the same phone number, WeChat account or device key, or the
 * invited one was used on its first day from a network that the inviter used within a day of that time, in a browser or with
 * a device. Once it was found for one reward, it holds for the other one.
 */
export async function isSamePerson(tx: Db, pair: { inviterId: number; inviteeId: number }): Promise<boolean> {
  const { rows } = await sql<{ isSame: boolean }>`
    with invitee as (
      select id, created_at as joined_at from user_account where id = ${pair.inviteeId}
    ), first_network as (
      select value_hash, joined_at from person_trace, invitee
      where user_id = invitee.id and kind = 'network' and first_at <= joined_at + interval '1 day'
    )
    select exists (
      select from person_trace as own join person_trace as other using (kind, value_hash)
      where own.user_id = ${pair.inviterId} and other.user_id = ${pair.inviteeId} and kind <> 'network'
    ) or exists (
      select from person_trace as own join first_network using (value_hash)
      where own.user_id = ${pair.inviterId} and kind = 'network'
        and own.first_at <= joined_at + interval '1 day' and own.last_at >= joined_at - interval '1 day'
    ) or exists (
      select from device
      join device_presence on device_id = device.id
      join first_network on value_hash = trace_hash(public_network(public_ip))
      where device.user_id = ${pair.inviterId} and (online or changed_at >= joined_at - interval '1 day')
    ) or exists (
      select from invitation_reward where invitee_id = ${pair.inviteeId} and void_reason = 'same-person'
    ) as is_same`.execute(tx);
  return rows[0]?.isSame ?? false;
}

/** Networks are compared only for accounts that joined not long ago. */
export async function deleteOldNetworks(db: Db): Promise<void> {
  await db
    .deleteFrom('personTrace')
    .where('kind', '=', 'network')
    .where('lastAt', '<', sql<Date>`now() - make_interval(days => ${KEEP_NETWORKS_DAYS})`)
    .execute();
}
