import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type DuePlan = {
  id: number;
  userId: number;
  name: string;
  deviceId: number | null;
  deviceName: string | null;
  endsAt: Date;
  /** 0: it has ended. */
  daysLeft: number;
};

/** Plans that ended longer ago, while no server ran, are not reported. */
const ENDED_WITHIN_DAYS = 2;

/**
 * Takes plans whose next reminder is due, and marks it as made, with the end that it was about: a renewed plan starts anew.
 * There is none of so many days as the plan lasts, nor of a free plan that has left its device. Plans that another
 * transaction changes are left for the next time.
 */
export async function takeDuePlans(tx: Db, limit: number): Promise<DuePlan[]> {
  const { rows } = await sql<DuePlan>`
    with due as (
      select plan.id, stage.days, stage.days || ' ' || extract(epoch from plan.ends_at) as mark
      from plan
      cross join lateral (
        select min(days) as days from unnest(array[0, 1, 3, 7]) as days
        where plan.ends_at <= now() + make_interval(days => days)
          and plan.ends_at - plan.starts_at > make_interval(days => days)
      ) as stage
      where plan.ends_at between now() - make_interval(days => ${ENDED_WITHIN_DAYS}) and now() + make_interval(days => 7)
        and stage.days is not null
        and plan.reminded_for is distinct from stage.days || ' ' || extract(epoch from plan.ends_at)
        and (plan.price_fen > 0 or plan.device_id is not null)
      order by plan.id
      limit ${limit}
      for no key update of plan skip locked
    )
    update plan set reminded_for = due.mark from due where plan.id = due.id
    returning plan.id, plan.user_id, plan.product_name as name, plan.device_id, plan.ends_at, due.days as days_left,
      (select device.name from device where device.id = plan.device_id) as device_name`.execute(tx);
  return rows.toSorted((one, other) => one.id - other.id);
}
