import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** Who did it: a logged-in user with the address of the call, or the service itself. */
export type AuditActor = { userId: number; ip: string } | 'service';

export type AuditFact = {
  /** What was done, as `object.verb` in the past, for example `order.refunded`. */
  action: string;
  object: { type: string; id: number | null; name: string };
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
};

/** Inserts an entry of the audit log. Call it in the transaction of the change. No secrets in `before` and `after`. */
export async function recordAuditEntry(tx: Db, actor: AuditActor, fact: AuditFact): Promise<void> {
  const { action, object, before = {}, after = {} } = fact;
  const who =
    actor === 'service'
      ? { actorId: null, actor: '', ip: '' }
      : {
          actorId: actor.userId,
          actor: sql<string>`coalesce((select username from user_account where id = ${actor.userId}::integer), '')`,
          ip: actor.ip,
        };
  await tx
    .insertInto('auditEntry')
    .values({
      ...who,
      action,
      objectType: object.type,
      objectId: object.id,
      objectName: object.name,
      before,
      after,
    })
    .execute();
}
