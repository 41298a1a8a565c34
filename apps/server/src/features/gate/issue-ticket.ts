import { randomBytes } from 'node:crypto';
import type { Db } from '../../db/driver.ts';
import { lockUserForKeyShare } from '../../db/lock-user.ts';
import { hashSecret } from '../../hash-secret.ts';
import { lockMappingForTicket } from '../mappings/index.ts';
import { findMember } from '../sharing/index.ts';
import { lockLoginForProof } from '../verifications/index.ts';
import { insertTicket, type TicketGrounds } from './ticket-store.ts';
import type { VisitedUrl } from './address/visited-url.ts';

/** Creates a random ticket for one visit. */
export function createTicket(): string {
  return randomBytes(32).toString('base64url');
}

export type TicketResult =
  /** `redirect` leads to the mapping's host, because only that host can set its cookie. */
  | { type: 'issued'; redirect: string }
  /** The visitor's session has been ended, or the account deleted. */
  | { type: 'login_ended' }
  | { type: 'mapping_deleted' }
  | { type: 'member_removed' };

/** Issues a ticket on these grounds: it can be redeemed once, within a minute. */
export async function issueTicket(
  db: Db,
  { visited, mappingId, grounds }: { visited: VisitedUrl; mappingId: number; grounds: TicketGrounds },
): Promise<TicketResult> {
  const ticket = createTicket();
  const query = new URLSearchParams({ ticket, next: visited.pathAndQuery + visited.fragment });
  return await db.transaction().execute(async (tx): Promise<TicketResult> => {
    if ('sessionId' in grounds && !(await lockLoginForProof(tx, grounds.sessionId))) return { type: 'login_ended' };
    if (grounds.userId !== null && !(await lockUserForKeyShare(tx, grounds.userId))) return { type: 'login_ended' };
    if (!(await lockMappingForTicket(tx, mappingId))) return { type: 'mapping_deleted' };
    // The lock on the mapping keeps the member from being removed until the ticket is inserted.
    if ('memberId' in grounds && !(await findMember(tx, grounds.memberId))) return { type: 'member_removed' };
    const row = { ticketHash: hashSecret(ticket), mappingId, host: visited.host, ...grounds };
    await insertTicket(tx, row);
    return { type: 'issued', redirect: `${visited.origin}/.tongtu/verify?${query.toString()}` };
  });
}
