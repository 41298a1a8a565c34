import { networkOf } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { hashSecret } from '../../hash-secret.ts';
import { announceVerifications } from '../live/index.ts';
import { findHostForProof, type MappedHost } from '../mappings/index.ts';
import { findLivingLink, findMember, recordJoined, useShareLink } from '../sharing/index.ts';
import { findUsername } from '../users/index.ts';
import { cameByLink, recordProof } from '../verifications/index.ts';
import { holdOwnerOfTicket, holdSessionOfTicket, type UsedTicket, useTicket } from './ticket-store.ts';

export type Redemption = {
  ticket: string;
  host: string;
  visitorIp: string;
  userAgent: string;
  /** What the relay found this browser to have proven. */
  verificationId?: number | undefined;
};
export type Verification = { verificationId: number; mappingId: number; expiresAtMs: number };

/** Turns a ticket into a verification record, once. Throws gate.ticket-invalid, gate.too-many-proofs. */
export async function redeemTicket(db: Db, redemption: Redemption): Promise<Verification> {
  const { ticket, visitorIp, userAgent } = redemption;
  const host = redemption.host.toLowerCase();
  const ticketHash = hashSecret(ticket);
  return await db.transaction().execute(async (tx) => {
    // Before all else, as whoever ends the login: it takes the ticket along, or finds the proof.
    await holdSessionOfTicket(tx, ticketHash);
    // Then the account that the record will be of: whoever deletes it deletes its mappings afterwards.
    const ownerId = await holdOwnerOfTicket(tx, ticketHash);
    // A change of the password, or the end of a link or membership, happens before all of this or after it.
    const mapped = await findHostForProof(tx, host);
    const used = mapped && (await useTicket(tx, ticketHash, host));
    // The host may lead somewhere else by now: another mapping, or another owner's.
    if (mapped === undefined || used?.mappingId !== mapped.mappingId || mapped.userId !== ownerId)
      throw new AppError('gate.ticket-invalid');
    const grounds = await confirmGrounds(tx, mapped, { ...used, verificationId: redemption.verificationId });
    if (grounds === undefined) throw new AppError('gate.ticket-invalid');
    const { mappingId, userId, sessionId, grantedBy, memberId, shareLinkId } = used;
    const network = networkOf(visitorIp);
    const { deviceId } = mapped;
    const { id, expiresAt } = await recordProof(
      tx,
      {
        ...{ grantedBy, who: grounds.who, userId, mappingId, memberId, shareLinkId },
        ...{ ownerId, deviceId, sessionId, host, visitorIp, network, userAgent },
      },
      { notAfter: grounds.notAfter },
    );
    await announceVerifications(tx, mapped.userId);
    return { verificationId: id, mappingId, expiresAtMs: expiresAt.getTime() };
  });
}

type ConfirmedGrounds = { who: string; notAfter: Date | null };

/** Whether the ticket's grounds still hold; uses up one of a share link's unless the browser is in by it. Undefined: they do not. */
async function confirmGrounds(
  tx: Db,
  mapped: MappedHost,
  ticket: UsedTicket & Pick<Redemption, 'verificationId'>,
): Promise<ConfirmedGrounds | undefined> {
  switch (ticket.grantedBy) {
    case 'owner': {
      if (ticket.userId !== mapped.userId) return undefined;
      return { who: await findUsername(tx, mapped.userId), notAfter: null };
    }
    case 'member': {
      const member = ticket.memberId === null ? undefined : await findMember(tx, ticket.memberId);
      if (member?.joinedAt === null) await recordJoined(tx, member.id);
      return member && { who: member.contact, notAfter: null };
    }
    case 'password': {
      const isSame = mapped.policy === 'password' && mapped.passwordVersion === ticket.passwordVersion;
      return isSame ? { who: '', notAfter: null } : undefined;
    }
    case 'share': {
      const { shareLinkId, verificationId } = ticket;
      if (shareLinkId === null) return undefined;
      // It lets browsers in, and this one is in.
      const isKnown = verificationId !== undefined && (await cameByLink(tx, { id: verificationId, shareLinkId }));
      const link = isKnown ? await findLivingLink(tx, shareLinkId) : await useShareLink(tx, shareLinkId);
      return link && { who: link.label, notAfter: link.expiresAt };
    }
  }
}
