import type { ClientWindow, Member, Membership, ShareLink } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { domainReply, domainStateOf } from '../devices/index.ts';
import { mappingDomain, mappingUrl, type PublicPlace } from '../mappings/index.ts';
import { closeClientWindow, openClientWindow, readClientWindow, type WindowState } from './client-windows.ts';
import type { ListedMember } from './member-store.ts';
import {
  addMember,
  leaveMapping,
  listMembersOfMapping,
  type MemberDeps,
  pinMembership,
  removeMember,
} from './members.ts';
import { listMemberships, type MembershipRow } from './membership-store.ts';
import { unsealShareCode } from './share-code.ts';
import type { ShareLinkRow } from './share-link-store.ts';
import {
  createShareLink,
  getOwnShareLink,
  listLinksOfMapping,
  revokeShareLink,
  type ShareLinkDeps,
} from './share-links.ts';

export type SharingDeps = ShareLinkDeps & MemberDeps & PublicPlace;

/** Other users decide how many memberships an account has. */
const MAX_LISTED_MEMBERSHIPS = 200;

/** Share links, members and the client window of a mapping for its owner, and memberships for members. */
export function registerSharingRoutes(app: FastifyInstance, deps: SharingDeps): void {
  mountShareLinks(app, deps);
  mountMembers(app, deps);
  mountMemberships(app, deps);
  mountClientWindow(app, deps);
}

function mountShareLinks(app: FastifyInstance, deps: SharingDeps): void {
  const path = 'GET /api/user/records/{id}/shares/';
  mount(app, path, { login: 'required' }, async ({ params, session }) => {
    const own = { mappingId: params.id, userId: session.userId };
    const links = await listLinksOfMapping(deps.db, own);
    const replies = links.map((link) => shareLinkReply(deps, link));
    return session.isConfirmed ? replies : replies.map((reply) => ({ ...reply, url: null }));
  });
  mount(app, 'GET /api/user/shares/{id}/', { login: 'required' }, async ({ params, session }) => {
    return shareLinkReply(deps, await getOwnShareLink(deps.db, { id: params.id, userId: session.userId }));
  });
  mount(app, 'POST /api/user/records/{id}/shares/', { login: 'required' }, async ({ params, body, session }) => {
    const link = await createShareLink(deps, { mappingId: params.id, userId: session.userId }, body);
    return shareLinkReply(deps, link);
  });
  mount(app, 'DELETE /api/user/shares/{id}/', { login: 'required' }, async ({ params, session }) => {
    await revokeShareLink(deps.db, { id: params.id, userId: session.userId });
    return { ok: true as const };
  });
}

function mountMembers(app: FastifyInstance, deps: SharingDeps): void {
  mount(app, 'GET /api/user/records/{id}/members/', { login: 'required' }, async ({ params, session }) => {
    const members = await listMembersOfMapping(deps.db, { mappingId: params.id, userId: session.userId });
    return members.map(memberReply);
  });
  mount(app, 'POST /api/user/records/{id}/members/', { login: 'required' }, async ({ params, body, session }) => {
    const own = { mappingId: params.id, userId: session.userId };
    return memberReply(await addMember(deps, own, body.contact));
  });
  mount(app, 'DELETE /api/user/members/{id}/', { login: 'required' }, async ({ params, session }) => {
    await removeMember(deps.db, { id: params.id, userId: session.userId });
    return { ok: true as const };
  });
}

function mountMemberships(app: FastifyInstance, deps: SharingDeps): void {
  mount(app, 'GET /api/user/shared_with_me/', { login: 'required' }, async ({ session }) => {
    const wallClockMs = Date.now();
    const memberships = await listMemberships(deps.db, session.userId, MAX_LISTED_MEMBERSHIPS);
    return memberships.map((membership) => membershipReply(deps, membership, wallClockMs));
  });
  mount(app, 'PATCH /api/user/shared_with_me/{id}/', { login: 'required' }, async ({ params, body, session }) => {
    await pinMembership(deps.db, { id: params.id, userId: session.userId }, body.pinned);
    return { ok: true as const };
  });
  mount(app, 'DELETE /api/user/shared_with_me/{id}/', { login: 'required' }, async ({ params, session }) => {
    await leaveMapping(deps.db, { id: params.id, userId: session.userId });
    return { ok: true as const };
  });
}

function mountClientWindow(app: FastifyInstance, { db }: SharingDeps): void {
  mount(app, 'GET /api/user/records/{id}/mark_client/', { login: 'required' }, async ({ params, session }) => {
    return windowReply(await readClientWindow(db, { mappingId: params.id, userId: session.userId }));
  });
  mount(app, 'POST /api/user/records/{id}/mark_client/', { login: 'required' }, async ({ params, session }) => {
    const own = { mappingId: params.id, userId: session.userId };
    await openClientWindow(db, own);
    return windowReply(await readClientWindow(db, own));
  });
  mount(app, 'DELETE /api/user/records/{id}/mark_client/', { login: 'required' }, async ({ params, session }) => {
    const own = { mappingId: params.id, userId: session.userId };
    await closeClientWindow(db, own);
    return windowReply(await readClientWindow(db, own));
  });
}

function shareLinkReply(deps: SharingDeps, link: ShareLinkRow): ShareLink {
  return {
    id: link.id,
    mapping: link.mappingId,
    label: link.label,
    url: `${new URL(deps.publicUrl).origin}/s/${unsealShareCode(deps.sealingKey, link)}`,
    created_at: link.createdAt.toISOString(),
    expires_at: link.expiresAt.toISOString(),
    max_uses: link.maxUses,
    uses: link.uses,
    revoked_at: link.revokedAt?.toISOString() ?? null,
  };
}

function windowReply({ state, openUntil, client, leftToday }: WindowState): ClientWindow {
  return {
    state,
    open_until: openUntil?.toISOString() ?? null,
    ip: client?.ip ?? '',
    expires_at: client?.expiresAt.toISOString() ?? null,
    left_today: leftToday,
  };
}

function memberReply(member: ListedMember): Member {
  return {
    id: member.id,
    mapping: member.mappingId,
    contact: member.contact,
    created_at: member.createdAt.toISOString(),
    joined_at: member.joinedAt?.toISOString() ?? null,
    account: member.account ?? '',
    expires_at: member.expiresAt?.toISOString() ?? null,
  };
}

function membershipReply(deps: SharingDeps, membership: MembershipRow, wallClockMs: number): Membership {
  const facts = { mapping: membership, device: membership };
  return {
    ...domainReply(domainStateOf(mappingDomain(membership), facts, wallClockMs)),
    id: membership.id,
    url: mappingUrl(deps, membership),
    owner: membership.owner,
    pinned: membership.pinned,
    created_at: membership.createdAt.toISOString(),
  };
}
