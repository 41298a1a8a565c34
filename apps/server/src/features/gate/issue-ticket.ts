import { randomBytes } from 'node:crypto';
import type { Db } from '../../db/driver.ts';
import { lockUserForKeyShare } from '../../db/lock-user.ts';
import { hashSecret } from '../../hash-secret.ts';
import { lockMappingForTicket } from '../mappings/index.ts';
import { findMember } from '../sharing/index.ts';
import { lockLoginForProof } from '../verifications/index.ts';
import { insertTicket, type TicketGrounds } from './ticket-store.ts';
import type { VisitedUrl } from './visited-url.ts';

/** A fresh secret for one visit. */
export function createTicket(): string {
  return randomBytes(32).toString('base64url');
}

const TICKET_SECONDS = 60;

export type Issued =
  /** The address that takes the proof to the mapping's own host, where only a cookie of that host can be set. */
  | { type: 'issued'; redirect: string }
  /** The login that it would be given to was ended meanwhile, or the account deleted. */
  | { type: 'login_ended' }
  /** The mapping was deleted meanwhile. */
  | { type: 'mapping_deleted' }
  /** They are a member of it no more. */
  | { type: 'member_removed' };

/** Lets somebody with these grounds in, once and within a minute. */
export async function issueTicket(
  db: Db,
  { visited, mappingId, grounds }: { visited: VisitedUrl; mappingId: number; grounds: TicketGrounds },
): Promise<Issued> {
  const ticket = createTicket();
  const query = new URLSearchParams({ ticket, next: visited.pathAndQuery + visited.fragment });
  return await db.transaction().execute(async (tx): Promise<Issued> => {
    if ('sessionId' in grounds && !(await lockLoginForProof(tx, grounds.sessionId))) return { type: 'login_ended' };
    if (grounds.userId !== null && !(await lockUserForKeyShare(tx, grounds.userId))) return { type: 'login_ended' };
    if (!(await lockMappingForTicket(tx, mappingId))) return { type: 'mapping_deleted' };
    // Who removes a member has locked the mapping.
    if ('memberId' in grounds && !(await findMember(tx, grounds.memberId))) return { type: 'member_removed' };
    const row = { ticketHash: hashSecret(ticket), mappingId, host: visited.host, ...grounds };
    await insertTicket(tx, row, TICKET_SECONDS);
    return { type: 'issued', redirect: `${visited.origin}/.tongtu/verify?${query.toString()}` };
  });
}
