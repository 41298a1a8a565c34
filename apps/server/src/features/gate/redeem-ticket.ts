import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { insertVerification, useTicket } from './gate-store.ts';
import { hashTicket } from './ticket.ts';

export type Redemption = { ticket: string; host: string; visitorIp: string; userAgent: string };
export type Verification = { verificationId: number; mappingId: number; expiresAtMs: number };

const VERIFIED_HOURS = 48;

/** Turns a ticket into a verification record, once. Throws gate.ticket-invalid. */
export async function redeemTicket(db: Db, redemption: Redemption): Promise<Verification> {
  const { ticket, visitorIp, userAgent } = redemption;
  const host = redemption.host.toLowerCase();
  return await db.transaction().execute(async (tx) => {
    const used = await useTicket(tx, hashTicket(ticket), host);
    if (used === undefined) throw new AppError('gate.ticket-invalid');
    const { id, expiresAt } = await insertVerification(tx, { ...used, host, visitorIp, userAgent }, VERIFIED_HOURS);
    return { verificationId: id, mappingId: used.mappingId, expiresAtMs: expiresAt.getTime() };
  });
}
