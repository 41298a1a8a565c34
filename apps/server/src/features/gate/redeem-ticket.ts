import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { findMappingByHost } from '../mappings/index.ts';
import { useTicket } from './ticket-store.ts';
import { hashTicket } from './ticket.ts';
import { insertVerification } from './verification-store.ts';
import { VERIFIED_HOURS } from './verified-hours.ts';

export type Redemption = { ticket: string; host: string; visitorIp: string; userAgent: string };
export type Verification = { verificationId: number; mappingId: number; expiresAtMs: number };

/** Turns a ticket into a verification record, once. Throws gate.ticket-invalid. */
export async function redeemTicket(db: Db, redemption: Redemption): Promise<Verification> {
  const { ticket, visitorIp, userAgent } = redemption;
  const host = redemption.host.toLowerCase();
  return await db.transaction().execute(async (tx) => {
    const used = await useTicket(tx, hashTicket(ticket), host);
    // The host may lead somewhere else by now: another mapping, or another owner's.
    const mapped = used && (await findMappingByHost(tx, host));
    if (used === undefined || mapped?.mappingId !== used.mappingId) throw new AppError('gate.ticket-invalid');
    const proof = { ...used, userId: used.userId ?? 0, kind: 'cookie', host, visitorIp, userAgent } as const;
    const { id, expiresAt } = await insertVerification(tx, proof, VERIFIED_HOURS);
    return { verificationId: id, mappingId: used.mappingId, expiresAtMs: expiresAt.getTime() };
  });
}
