import { sql, type RawBuilder } from 'kysely';

/** What a relay said of its devices holds for this long after its last sign of life. */
const RELAY_TRUST_SECONDS = 15;

/** True while the joined `relay` may be believed. By the database's clock, which all processes share. */
export function relayIsAlive(): RawBuilder<boolean> {
  return sql<boolean>`coalesce(relay.last_seen_at > now() - make_interval(secs => ${RELAY_TRUST_SECONDS}), false)`;
}
