import { networkOf } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { hashSecret } from '../../hash-secret.ts';
import { announceVerifications } from '../live/index.ts';
import { findHostForProof, type MappedHost } from '../mappings/index.ts';
import { findActiveLink, findMember, recordJoined, useShareLink } from '../sharing/index.ts';
import { findUsername } from '../users/index.ts';
import { wasGrantedByLink, recordProof } from '../verifications/index.ts';
import {
  lockTicketOwnerForKeyShare,
  lockTicketSessionForKeyShare,
  type UsedTicket,
  useTicket,
} from './ticket-store.ts';

export type Redemption = {
  ticket: string;
  host: string;
  visitorIp: string;
  userAgent: string;
  /** The verification that the browser's cookie proves, if it has one. */
  verificationId?: number | undefined;
};
export type Verification = { verificationId: number; mappingId: number; expiresAtMs: number };

/** Turns a ticket into a verification record, once. Throws gate.ticket-invalid, gate.too-many-proofs. */
export async function redeemTicket(db: Db, redemption: Redemption): Promise<Verification> {
  const { ticket, visitorIp, userAgent } = redemption;
  const host = redemption.host.toLowerCase();
  const ticketHash = hashSecret(ticket);
  return await db.transaction().execute(async (tx) => {
    // Lock order: session, account, mapping, ticket. Ending the session uses the same order, so it deletes the ticket before
    // this or ends the proof after it.
    await lockTicketSessionForKeyShare(tx, ticketHash);
    // The deletion of an account locks the account before its mappings.
    const ownerId = await lockTicketOwnerForKeyShare(tx, ticketHash);
    // The mapping's lock makes a change of the password, and the end of a link or membership, wait.
    const mapped = await findHostForProof(tx, host);
    const used = mapped && (await useTicket(tx, ticketHash, host));
    // The host may lead to another mapping, or to another owner's, since the ticket was issued.
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

/**
 * Checks that the ticket's grounds still hold; undefined when they do not. Counts a use of the share link unless the browser
 * has already come in by it.
 */
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
      return member && { who: member.contact, notAfter: member.expiresAt };
    }
    case 'password': {
      const isSame = mapped.policy === 'password' && mapped.passwordVersion === ticket.passwordVersion;
      return isSame ? { who: '', notAfter: null } : undefined;
    }
    case 'share': {
      const { shareLinkId, verificationId } = ticket;
      if (shareLinkId === null) return undefined;
      // A link counts browsers, and this browser has been counted.
      const isCounted =
        verificationId !== undefined && (await wasGrantedByLink(tx, { id: verificationId, shareLinkId }));
      const link = isCounted ? await findActiveLink(tx, shareLinkId) : await useShareLink(tx, shareLinkId);
      return link && { who: link.label, notAfter: link.expiresAt };
    }
  }
}
