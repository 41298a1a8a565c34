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
  upsertClientWindow,
  setWindowClient,
} from './client-window-store.ts';

type Own = { mappingId: number; userId: number };

const OPEN_SECONDS = 120;

export type WindowState = {
  state: ClientWindow['state'];
  /** Null when the window is not open. */
  openUntil: Date | null;
  /** The marked client, as long as its address passes. */
  client: { ip: string; expiresAt: Date } | undefined;
  /** How many more networks the owner may verify today. */
  leftToday: number;
};

/** Throws mapping.not-found. */
export async function readClientWindow(db: Db, { mappingId, userId }: Own): Promise<WindowState> {
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

/** `none` for a claimed window whose client no longer passes. */
function stateOf(window: Awaited<ReturnType<typeof findClientWindow>>): ClientWindow['state'] {
  if (window === undefined) return 'none';
  if (window.isOpen) return 'open';
  if (!window.isClaimed) return 'expired';
  return window.client === undefined ? 'none' : 'claimed';
}

/**
 * Opens the window for two minutes: the address of the first client that would be refused is verified for 48 hours. A second
 * call starts the window again. Throws mapping.not-found, gate.window-needless, gate.verified-ip-limit.
 */
export async function openClientWindow(db: Db, own: Own): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { deviceId, policy } = await getOwnMappingForChange(tx, own);
    if (policy === 'public') throw new AppError('gate.window-needless');
    await assertMayVerifyAddress(tx, own.userId);
    await upsertClientWindow(tx, own.mappingId, OPEN_SECONDS);
    await announceAccessChange(tx, { deviceId, userId: own.userId });
  });
}

/**
 * Closes the window. A marked client stays verified. Announces nothing when there is no open window. Throws
 * mapping.not-found.
 */
export async function closeClientWindow(db: Db, own: Own): Promise<void> {
  const { id, deviceId } = await getOwnMapping(db, own);
  const window = await findClientWindow(db, id);
  // Checked before the mapping is locked, because this call has no limit.
  if (window === undefined || window.isClaimed) return;
  await db.transaction().execute(async (tx) => {
    await getOwnMappingForChange(tx, own);
    if (await deleteOpenWindow(tx, id)) await announceAccessChange(tx, { deviceId, userId: own.userId });
  });
}

export type Client = { mappingId: number; ip: string; userAgent: string };

/**
 * Marks the client if it is the first one in the mapping's window. Returns the device whose relays need the new routes.
 * Throws gate.window-over, gate.verified-ip-limit, request.invalid.
 */
export async function markClient(db: Db, { mappingId, ip, userAgent }: Client): Promise<{ deviceId: number }> {
  const address = parseAddress(ip);
  if (address === undefined) throw new AppError('request.invalid');
  return await db.transaction().execute(async (tx) => {
    const ownerId = await findOwnerOfMapping(tx, mappingId);
    // Account first, then mapping, is also the lock order of their deletion.
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
