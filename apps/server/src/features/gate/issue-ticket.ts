import type { Db } from '../../db/driver.ts';
import { deleteOldTickets, insertTicket, type TicketGrounds } from './ticket-store.ts';
import { createTicket, hashTicket } from './ticket.ts';
import type { VisitedUrl } from './visited-url.ts';

const TICKET_SECONDS = 60;

/** The address that takes the proof to the mapping's own host, where only a cookie of that host can be set. */
export async function issueTicket(
  db: Db,
  { visited, mappingId, grounds }: { visited: VisitedUrl; mappingId: number; grounds: TicketGrounds },
): Promise<string> {
  const ticket = createTicket();
  await db.transaction().execute(async (tx) => {
    const row = { ticketHash: hashTicket(ticket), mappingId, host: visited.host, ...grounds };
    await insertTicket(tx, row, TICKET_SECONDS);
    await deleteOldTickets(tx);
  });
  const query = new URLSearchParams({ ticket, next: visited.pathAndQuery + visited.fragment });
  return `${visited.origin}/.tongtu/verify?${query.toString()}`;
}
