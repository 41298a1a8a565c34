import { type CheckReason, denialOf } from '@tongtu/contract';
import { findRequestState } from '../access-requests/index.ts';
import { deviceStateOf } from '../devices/index.ts';
import type { Refusal } from '../refused-visits/index.ts';
import { findMappingOfCode } from '../sharing/index.ts';
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
import { type ConsoleEndpoint, secureAddress } from './address/https-address.ts';
import { issueTicket } from './issue-ticket.ts';
import type { TicketGrounds } from './ticket-store.ts';
import type { VisitedUrl } from './address/visited-url.ts';

/** Under which scheme and port the visitor's browser opened the console, and the network whose limits apply. */
export type Caller = ConsoleEndpoint & { network: string };
/** Called when the visitor is refused for a reason of their own, and not because the mapping is closed to everybody. */
export type OnRefused = (visit: MappingVisit, reason: Refusal['reason']) => void;
export type CheckInput = Visitor & { url: string; consoleHost: string; caller: Caller; onRefused?: OnRefused };

const anonymous = { login: undefined, share: undefined };

export type UrlVerdict = {
  allowed: boolean;
  reason: CheckReason;
  visited: VisitedUrl;
  /** For the owner only. */
  device?: { id: number; name: string };
  redirect?: string;
  /** How the account's request for access stands. */
  request?: 'pending' | 'refused';
};

/**
 * Decides whether the visitor may open the address, and issues a ticket. Throws gate.url-not-allowed for an address that is
 * neither a mapping's nor the console's, and gate.too-many-proofs.
 */
export async function checkUrl(deps: FindVisitDeps, input: CheckInput): Promise<UrlVerdict> {
  return await decideVisit(deps, await findVisit(deps, input), input);
}

export async function decideVisit(
  deps: FindVisitDeps,
  visit: Visit,
  visitor: Visitor & Pick<CheckInput, 'caller' | 'onRefused'>,
): Promise<UrlVerdict> {
  const { visited } = visit;
  if (visit.type === 'console') return { allowed: true, reason: 'public', visited, redirect: visited.href };
  if (visit.type === 'nowhere') return { allowed: false, reason: 'no_such_mapping', visited };
  const { mapped } = visit;
  // The visitor's address is left out: the relay checks it, and it needs no ticket.
  const denial = denialOf(accessRulesOf(visit), { address: undefined, proof: undefined }, deps.wallClockMs());
  if (denial === undefined) return { allowed: true, reason: 'public', visited, redirect: visited.href };
  const closed = closedReasons[denial];
  if (closed !== undefined) return { allowed: false, reason: closed, visited };
  const grounds = await findGrounds(deps.db, mapped, visitor);
  if (grounds === undefined) {
    const reason = refusalOf(visit, visitor);
    const { login } = visitor;
    const { mappingId } = mapped;
    const request =
      login && reason === 'not_allowed'
        ? await findRequestState(deps.db, { mappingId, userId: login.userId })
        : undefined;
    // Who has asked for access is known to the owner, and the page asks again every few seconds.
    if (request !== 'pending') await reportRefusal(deps, visit, visitor);
    return { allowed: false, reason, visited, ...(request && { request }) };
  }
  return await admit(deps, visit, grounds, visitor.caller);
}

/** A code that no link of the mapping ever had counts as none: anybody can make one up. */
async function reportRefusal(
  { db }: FindVisitDeps,
  visit: MappingVisit,
  { login, share, onRefused }: Visitor & Pick<CheckInput, 'onRefused'>,
): Promise<void> {
  const link = share === undefined ? undefined : await findMappingOfCode(db, share);
  const isOfMapping = link?.mappingId === visit.mapped.mappingId;
  const reason = refusalOf(visit, { login, share: isOfMapping ? share : undefined });
  if (reason === 'not_allowed' || reason === 'share_ended') onRefused?.(visit, reason);
}

function refusalOf({ mapped }: MappingVisit, { login, share }: Visitor): CheckReason {
  if (share !== undefined) return 'share_ended';
  if (mapped.policy === 'password') return 'password_required';
  return login === undefined ? 'login_required' : 'not_allowed';
}

/** Issues a ticket on these grounds. Throws gate.too-many-proofs. */
export async function admit(
  deps: FindVisitDeps,
  visit: MappingVisit,
  grounds: TicketGrounds,
  caller: Caller,
): Promise<UrlVerdict> {
  const { mapped, device } = visit;
  const visited = mapped.tlsPassthrough ? visit.visited : await secureAddress(deps, visit.visited, caller);
  const owned = { visited, ...(grounds.grantedBy === 'owner' && { device: { id: device.id, name: device.name } }) };
  if (mapped.tlsPassthrough) return { ...owned, allowed: false, reason: 'address_only' };
  const { mappingId, deviceId } = mapped;
  const { network } = caller;
  const pendingProof = { sessionId: null, ...grounds, mappingId, deviceId, host: visited.host, network };
  await assertRoomForProof(deps.db, pendingProof);
  // A visitor is also admitted while the device is offline: the relay shows a page, and the proof holds when it is back.
  const isOnline = deviceStateOf(device).state === 'online';
  const issued = await issueTicket(deps.db, { visited, mappingId, grounds });
  switch (issued.type) {
    case 'issued':
      return { ...owned, allowed: true, reason: isOnline ? 'ok' : 'device_offline', redirect: issued.redirect };
    case 'login_ended':
      return { visited, allowed: false, reason: refusalOf(visit, anonymous) };
    case 'mapping_deleted':
      return { visited, allowed: false, reason: 'no_such_mapping' };
    case 'member_removed':
      return { visited, allowed: false, reason: mapped.policy === 'password' ? 'password_required' : 'not_allowed' };
  }
}
