import { parseAddress } from '@tongtu/base';
import { AppError, type ClientWindow } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { announceAccessChange } from '../live/index.ts';
import { findMappingForProof, findOwnerOfMapping, getOwnMapping, getOwnMappingForChange } from '../mappings/index.ts';
import { assertMayVerifyAddress, addVerifiedAddress, readAddressAllowance } from '../verifications/index.ts';
import {
  claimClientWindow,
  deleteOpenWindow,
  findClientWindow,
  putClientWindow,
  setWindowClient,
} from './client-window-store.ts';

type Own = { mappingId: number; userId: number };

const OPEN_SECONDS = 120;

export type ShownWindow = {
  state: ClientWindow['state'];
  /** As long as it is open. */
  openUntil: Date | null;
  /** The one that was marked, as long as it passes. */
  client: { ip: string; expiresAt: Date } | undefined;
  /** How many more networks the owner may let pass today. */
  leftToday: number;
};

/** Throws mapping.not-found. */
export async function readClientWindow(db: Db, { mappingId, userId }: Own): Promise<ShownWindow> {
  const { id } = await getOwnMapping(db, { mappingId, userId });
  const window = await findClientWindow(db, id);
  const { left } = await readAddressAllowance(db, userId);
  return {
    state: stateOf(window),
    openUntil: window?.isOpen === true ? window.openUntil : null,
    client: window?.client,
    leftToday: left,
  };
}

/** A client that does not pass any more is nothing to tell of the window that let it in. */
function stateOf(window: Awaited<ReturnType<typeof findClientWindow>>): ClientWindow['state'] {
  if (window === undefined) return 'none';
  if (window.isOpen) return 'open';
  if (!window.isClaimed) return 'expired';
  return window.client === undefined ? 'none' : 'claimed';
}

/**
 * For two minutes the first client that would have to be verified passes, by its address, for 48 hours. Asking again
 * begins anew. Throws mapping.not-found, gate.window-needless, gate.verified-ip-limit.
 */
export async function openClientWindow(db: Db, own: Own): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { deviceId, policy } = await getOwnMappingForChange(tx, own);
    if (policy === 'public') throw new AppError('gate.window-needless');
    await assertMayVerifyAddress(tx, own.userId);
    await putClientWindow(tx, own.mappingId, OPEN_SECONDS);
    await announceAccessChange(tx, { deviceId, userId: own.userId });
  });
}

/**
 * Closes it; a client that was marked already stays. Where there is none to close, nobody is told of it. Throws
 * mapping.not-found.
 */
export async function closeClientWindow(db: Db, own: Own): Promise<void> {
  const { id, deviceId } = await getOwnMapping(db, own);
  const window = await findClientWindow(db, id);
  // Before the mapping is locked: there is no limit to how often somebody asks.
  if (window === undefined || window.isClaimed) return;
  await db.transaction().execute(async (tx) => {
    await getOwnMappingForChange(tx, own);
    if (await deleteOpenWindow(tx, id)) await announceAccessChange(tx, { deviceId, userId: own.userId });
  });
}

export type Client = { mappingId: number; ip: string; userAgent: string };

/**
 * Marks the client if it is the first one in the mapping's window. Which device's relays are to know. Throws
 * gate.window-over, gate.verified-ip-limit, request.invalid.
 */
export async function markClient(db: Db, { mappingId, ip, userAgent }: Client): Promise<{ deviceId: number }> {
  const address = parseAddress(ip);
  if (address === undefined) throw new AppError('request.invalid');
  return await db.transaction().execute(async (tx) => {
    const ownerId = await findOwnerOfMapping(tx, mappingId);
    // Before the mapping, as whoever deletes either.
    if (ownerId !== undefined) await lockUserForNoKeyUpdate(tx, ownerId);
    const mapping = await findMappingForProof(tx, mappingId);
    const isStill = mapping !== undefined && mapping.userId === ownerId;
    if (!isStill || !(await claimClientWindow(tx, mappingId))) throw new AppError('gate.window-over');
    const { deviceId } = mapping;
    const visitor = { ownerId, visitorIp: address.toString(), userAgent };
    const client = { ...visitor, grantedBy: 'mark_client', sessionId: null } as const;
    await setWindowClient(tx, mappingId, await addVerifiedAddress(tx, mapping, client));
    await announceAccessChange(tx, { deviceId, userId: ownerId });
    return { deviceId };
  });
}
