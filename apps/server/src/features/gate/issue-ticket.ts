import type { Db } from '../../db/driver.ts';
import { holdUser } from '../../db/lock-user.ts';
import { hashSecret } from '../../hash-secret.ts';
import { holdSession } from '../verifications/index.ts';
import { insertTicket, type TicketGrounds } from './ticket-store.ts';
import { createTicket } from './ticket.ts';
import type { VisitedUrl } from './visited-url.ts';

const TICKET_SECONDS = 60;

/**
 * The address that takes the proof to the mapping's own host, where only a cookie of that host can be set. Undefined when
 * the login that it would be given to was ended meanwhile, or the account deleted.
 */
export async function issueTicket(
  db: Db,
  { visited, mappingId, grounds }: { visited: VisitedUrl; mappingId: number; grounds: TicketGrounds },
): Promise<string | undefined> {
  const ticket = createTicket();
  const isIssued = await db.transaction().execute(async (tx) => {
    if ('sessionId' in grounds && !(await holdSession(tx, grounds.sessionId))) return false;
    if (grounds.userId !== null && !(await holdUser(tx, grounds.userId))) return false;
    const row = { ticketHash: hashSecret(ticket), mappingId, host: visited.host, ...grounds };
    await insertTicket(tx, row, TICKET_SECONDS);
    return true;
  });
  if (!isIssued) return undefined;
  const query = new URLSearchParams({ ticket, next: visited.pathAndQuery + visited.fragment });
  return `${visited.origin}/.tongtu/verify?${query.toString()}`;
}
