import { type CheckReason, denialOf } from '@tongtu/contract';
import { deviceStateOf } from '../devices/index.ts';
import { assertRoomForProof } from '../verifications/index.ts';
import { findGrounds, type Visitor } from './find-grounds.ts';
import {
  accessRulesOf,
  closedReasons,
  findVisit,
  type FindVisitDeps,
  type MappingVisit,
  type Visit,
} from './find-visit.ts';
import { type AskedBy, secureAddress } from './https-address.ts';
import { issueTicket } from './issue-ticket.ts';
import type { TicketGrounds } from './ticket-store.ts';
import type { VisitedUrl } from './visited-url.ts';

/** Where the console was when it was asked, and whose limits the visitor counts in. */
export type Asking = AskedBy & { network: string };
export type CheckInput = Visitor & { url: string; consoleHost: string; asked: Asking };

const nobody = { login: undefined, share: undefined };

export type UrlVerdict = {
  allowed: boolean;
  reason: CheckReason;
  visited: VisitedUrl;
  /** Only for its owner. */
  device?: { id: number; name: string };
  redirect?: string;
};

/**
 * May the caller open this address, and how? Throws gate.url-not-allowed for any address that is not ours,
 * gate.too-many-proofs.
 */
export async function checkUrl(deps: FindVisitDeps, input: CheckInput): Promise<UrlVerdict> {
  return await judgeVisit(deps, await findVisit(deps, input), input);
}

export async function judgeVisit(
  deps: FindVisitDeps,
  visit: Visit,
  visitor: Visitor & { asked: Asking },
): Promise<UrlVerdict> {
  const { visited } = visit;
  if (visit.type === 'console') return { allowed: true, reason: 'public', visited, redirect: visited.href };
  if (visit.type === 'nowhere') return { allowed: false, reason: 'no_such_mapping', visited };
  const { mapped } = visit;
  // A ticket is for what the visitor may do here; whether their address passes is for the relay to see.
  const denial = denialOf(accessRulesOf(visit), { address: undefined, proof: undefined }, deps.wallClockMs());
  if (denial === undefined) return { allowed: true, reason: 'public', visited, redirect: visited.href };
  const closed = closedReasons[denial];
  if (closed !== undefined) return { allowed: false, reason: closed, visited };
  const grounds = await findGrounds(deps.db, mapped, visitor);
  if (grounds === undefined) return { allowed: false, reason: refusalOf(visit, visitor), visited };
  return await letIn(deps, visit, grounds, visitor.asked);
}

function refusalOf({ mapped }: MappingVisit, { login, share }: Visitor): CheckReason {
  if (share !== undefined) return 'share_ended';
  if (mapped.policy === 'password') return 'password_required';
  return login === undefined ? 'login_required' : 'not_allowed';
}

/** The verdict for a visitor with these grounds, with a ticket that takes them there. Throws gate.too-many-proofs. */
export async function letIn(
  deps: FindVisitDeps,
  visit: MappingVisit,
  grounds: TicketGrounds,
  asked: Asking,
): Promise<UrlVerdict> {
  const { mapped, device } = visit;
  const visited = mapped.tlsPassthrough ? visit.visited : await secureAddress(deps, visit.visited, asked);
  const owned = { visited, ...(grounds.grantedBy === 'owner' && { device: { id: device.id, name: device.name } }) };
  if (mapped.tlsPassthrough) return { ...owned, allowed: false, reason: 'address_only' };
  const { mappingId, deviceId } = mapped;
  const { network } = asked;
  const coming = { sessionId: null, ...grounds, mappingId, deviceId, host: visited.host, network };
  await assertRoomForProof(deps.db, coming);
  // An offline device is no reason to turn somebody away: the relay shows its own page, and the proof holds when the
  // device is back.
  const isOnline = deviceStateOf(device).state === 'online';
  const issued = await issueTicket(deps.db, { visited, mappingId, grounds });
  switch (issued.type) {
    case 'issued':
      return { ...owned, allowed: true, reason: isOnline ? 'ok' : 'device_offline', redirect: issued.redirect };
    case 'login_ended':
      return { visited, allowed: false, reason: refusalOf(visit, nobody) };
    case 'mapping_deleted':
      return { visited, allowed: false, reason: 'no_such_mapping' };
    case 'member_removed':
      return { visited, allowed: false, reason: mapped.policy === 'password' ? 'password_required' : 'not_allowed' };
  }
}
