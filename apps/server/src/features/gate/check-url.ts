import { AppError, type CheckReason } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { deviceStateOf, findDevice, type DeviceRow } from '../devices/index.ts';
import { findMappingByHost, placeOfHost, type MappedHost } from '../mappings/index.ts';
import { deleteOldTickets, insertTicket } from './ticket-store.ts';
import { createTicket, hashTicket } from './ticket.ts';
import { portOf, readVisitedUrl, type VisitedUrl } from './visited-url.ts';

export type CheckUrlDeps = { db: Db; publicUrl: string; allowedPorts: number[] };

export type CheckInput = {
  url: string;
  /** The host that the page asking runs on: going back there leads nowhere new. */
  consoleHost: string;
  userId: number | undefined;
};

export type UrlVerdict = {
  allowed: boolean;
  reason: CheckReason;
  visited: VisitedUrl;
  /** Only for its owner. */
  device?: { id: number; name: string };
  redirect?: string;
};

const TICKET_SECONDS = 60;

/** May the caller open this address, and how? Throws gate.url-not-allowed for any address that is not ours. */
export async function checkUrl(deps: CheckUrlDeps, input: CheckInput): Promise<UrlVerdict> {
  const visited = readVisitedUrl(input.url);
  if (!visited || !isOwnPort(deps, visited)) throw new AppError('gate.url-not-allowed');
  const mapped = await findMappingByHost(deps.db, visited.host);
  const device = mapped && (await findDevice(deps.db, mapped.deviceId));
  if (mapped && device) return await judge(deps.db, { visited, mapped, device, userId: input.userId });

  const place = await placeOfHost(deps.db, visited.host);
  const isConsole = place === 'suffix' || [new URL(deps.publicUrl).hostname, input.consoleHost].includes(visited.host);
  if (isConsole) return { allowed: true, reason: 'public', visited, redirect: visited.href };
  if (place === 'below_suffix') return { allowed: false, reason: 'no_such_mapping', visited };
  throw new AppError('gate.url-not-allowed');
}

function isOwnPort({ publicUrl, allowedPorts }: CheckUrlDeps, visited: VisitedUrl): boolean {
  return [...allowedPorts, portOf(new URL(publicUrl))].includes(visited.port);
}

type Visit = { visited: VisitedUrl; mapped: MappedHost; device: DeviceRow; userId: number | undefined };

async function judge(db: Db, visit: Visit): Promise<UrlVerdict> {
  const { visited, mapped, device, userId } = visit;
  if (!mapped.mappingEnabled) return { allowed: false, reason: 'mapping_disabled', visited };
  if (!device.enabled) return { allowed: false, reason: 'device_disabled', visited };
  if (mapped.policy === 'public') return { allowed: true, reason: 'public', visited, redirect: visited.href };
  if (userId === undefined) return { allowed: false, reason: 'login_required', visited };
  if (userId !== mapped.userId) return { allowed: false, reason: 'not_allowed', visited };
  const owned = { visited, device: { id: device.id, name: device.name } };
  if (mapped.tlsPassthrough) return { ...owned, allowed: false, reason: 'address_only' };
  // An offline device is no reason to turn its owner away: the relay shows its own page, and the proof holds when
  // the device is back.
  const isOnline = deviceStateOf(device).state === 'online';
  return {
    ...owned,
    allowed: true,
    reason: isOnline ? 'ok' : 'device_offline',
    redirect: await issueTicket(db, { visited, userId, mappingId: mapped.mappingId }),
  };
}

/** The address that takes the proof to the mapping's own host, where only a cookie of that host can be set. */
async function issueTicket(
  db: Db,
  { visited, userId, mappingId }: { visited: VisitedUrl; userId: number; mappingId: number },
): Promise<string> {
  const ticket = createTicket();
  await db.transaction().execute(async (tx) => {
    await insertTicket(tx, { ticketHash: hashTicket(ticket), userId, mappingId, host: visited.host }, TICKET_SECONDS);
    await deleteOldTickets(tx);
  });
  const query = new URLSearchParams({ ticket, next: visited.pathAndQuery + visited.fragment });
  return `${visited.origin}/.tongtu/verify?${query.toString()}`;
}
