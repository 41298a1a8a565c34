import type { Db } from '../../db/driver.ts';
import type { MappedHost } from '../mappings/index.ts';
import { findLinkByCode, findMembership } from '../sharing/index.ts';
import type { TicketGrounds } from './ticket-store.ts';

export type Visitor = {
  /** Undefined without a login. */
  login: { userId: number; sessionId: number } | undefined;
  /** The code of a share link. */
  share: string | undefined;
};

/** On which grounds the visitor may come in without the access password. A link comes last, because its uses are limited. */
export async function findGrounds(
  db: Db,
  mapped: MappedHost,
  { login, share }: Visitor,
): Promise<TicketGrounds | undefined> {
  if (login?.userId === mapped.userId) return { grantedBy: 'owner', ...login };
  const { mappingId } = mapped;
  const member = login && (await findMembership(db, { mappingId, userId: login.userId }));
  if (login && member) return { grantedBy: 'member', ...login, memberId: member.id };
  const link = share === undefined ? undefined : await findLinkByCode(db, mappingId, share);
  return link && { grantedBy: 'share', userId: login?.userId ?? null, shareLinkId: link.id };
}
