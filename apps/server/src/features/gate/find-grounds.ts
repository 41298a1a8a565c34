import type { Db } from '../../db/driver.ts';
import type { MappedHost } from '../mappings/index.ts';
import { findLinkOfCode, findMembership } from '../sharing/index.ts';
import type { TicketGrounds } from './ticket-store.ts';

export type Visitor = {
  userId: number | undefined;
  /** The code of a share link. */
  share: string | undefined;
};

/** Why this visitor may come in without the password. What is their own goes before a link, whose uses are few. */
export async function findGrounds(
  db: Db,
  mapped: MappedHost,
  { userId, share }: Visitor,
): Promise<TicketGrounds | undefined> {
  if (userId !== undefined && userId === mapped.userId) return { grantedBy: 'owner', userId };
  const { mappingId } = mapped;
  const member = userId === undefined ? undefined : await findMembership(db, { mappingId, userId });
  if (userId !== undefined && member) return { grantedBy: 'member', userId, memberId: member.id };
  const link = share === undefined ? undefined : await findLinkOfCode(db, mappingId, share);
  return link && { grantedBy: 'share', userId: userId ?? null, shareLinkId: link.id };
}
