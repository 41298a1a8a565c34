import type { Db } from '../../db/driver.ts';
import type { MappedHost } from '../mappings/index.ts';
import { findLinkOfCode, findMembership } from '../sharing/index.ts';
import type { TicketGrounds } from './ticket-store.ts';

export type Visitor = {
  /** Undefined where nobody is logged in. */
  login: { userId: number; sessionId: number } | undefined;
  /** The code of a share link. */
  share: string | undefined;
};

/** Why this visitor may come in without the password. What is their own goes before a link, whose uses are few. */
export async function findGrounds(
  db: Db,
  mapped: MappedHost,
  { login, share }: Visitor,
): Promise<TicketGrounds | undefined> {
  if (login?.userId === mapped.userId) return { grantedBy: 'owner', ...login };
  const { mappingId } = mapped;
  const member = login && (await findMembership(db, { mappingId, userId: login.userId }));
  if (login && member) return { grantedBy: 'member', ...login, memberId: member.id };
  const link = share === undefined ? undefined : await findLinkOfCode(db, mappingId, share);
  return link && { grantedBy: 'share', userId: login?.userId ?? null, shareLinkId: link.id };
}
