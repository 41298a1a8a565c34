import { AppError, fieldError, MAX_MAPPINGS_PER_DEVICE } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import type { Caller } from '../../http/session.ts';
import { assertRoomForDomain, replaceDomainCheck } from '../domains/index.ts';
import { announceDeviceChange } from '../live/index.ts';
import { assertMayAddMapping } from '../plans/index.ts';
import { assertMayAdd } from './assert-may-widen.ts';
import { translateTakenAddress } from './address/address-taken.ts';
import { withDomainClaims } from './address/claim-domain.ts';
import { type CreateMappingInput, settableColumns } from './mapping-columns.ts';
import type { MappingDeps, SavedMapping } from './mapping-deps.ts';
import {
  countMappings,
  insertMapping,
  isOwnDevice,
  findDeviceForNoKeyUpdate,
  type MappingRow,
  type MappingValues,
} from './mapping-store.ts';
import { assertAddressAllowed, chooseFreePort } from './address/public-address.ts';
import { claimPrefix } from './address/released-prefix.ts';

// A chosen port is lost only to a concurrent call that asks for exactly this port.
const MAX_PORT_CHOICES = 5;

/**
 * Creates a mapping on the caller's device. Chooses a port for TCP and UDP if none is given.
 * Throws device.not-found, session.confirm-required, device.managed-by-frpc, mapping.limit-reached, mapping.prefix-reserved, mapping.prefix-taken, mapping.prefixes-used-up,
 * mapping.domain-reserved, mapping.domain-taken, mapping.domain-unproven, mapping.domains-waiting,
 * plan.expired, plan.mapping-limit, mapping.port-out-of-range, mapping.port-taken, mapping.ports-exhausted, mapping.target-not-private, mapping.target-credentials, mapping.frpc-no-udp,
 * request.too-many.
 */
export async function createMapping(
  deps: MappingDeps,
  owner: Caller & { deviceId: number },
  input: CreateMappingInput,
): Promise<SavedMapping> {
  const open = settableColumns(input);
  const passwordHash = input.password === undefined ? null : await hash(deps, owner, input.password);
  const values = { ...open, passwordHash };
  await assertMayAdd(deps.db, owner, values);
  const claim = { userId: owner.userId, customDomain: values.customDomain };
  for (let choice = 1; ; choice++) {
    try {
      return await withDomainClaims(deps, [claim], async (prepare) => await insert(deps, owner, values, prepare));
    } catch (error) {
      const isChosen = values.port === null && (values.kind === 'tcp' || values.kind === 'udp');
      const isTaken = error instanceof AppError && error.code === 'mapping.port-taken';
      if (!isChosen || !isTaken || choice === MAX_PORT_CHOICES) throw error;
    }
  }
}

/** Hashes the password outside the transaction, and only for the caller's own device, because it is slow on purpose. */
async function hash(deps: MappingDeps, owner: { deviceId: number; userId: number }, password: string): Promise<string> {
  if (!(await isOwnDevice(deps.db, owner))) throw new AppError('device.not-found');
  return await deps.hashPassword(owner.userId, password);
}

async function insert(
  deps: MappingDeps,
  owner: { deviceId: number; userId: number },
  values: MappingValues,
  prepare: (tx: Db) => Promise<void>,
): Promise<SavedMapping> {
  return await deps.db.transaction().execute(async (tx) => {
    await prepare(tx);
    const row = await insertInTransaction(tx, deps, owner, { values });
    return { row, change: await announceDeviceChange(tx, owner) };
  });
}

/**
 * Like createMapping, in a transaction of the caller, who notifies the relays. `switches` are those that are not initial.
 * `frpcProxy`: the device's frpc.toml makes the mapping.
 */
export async function insertInTransaction(
  tx: Db,
  deps: MappingDeps,
  owner: { deviceId: number; userId: number },
  given: { values: MappingValues; switches?: { enabled?: boolean; pinned?: boolean }; frpcProxy?: string },
): Promise<MappingRow> {
  const { values, switches = {}, frpcProxy = null } = given;
  const device = await findDeviceForNoKeyUpdate(tx, owner);
  if (device === undefined) throw new AppError('device.not-found');
  if (frpcProxy === null && device.isManagedByFrpc) throw new AppError('device.managed-by-frpc');
  if (frpcProxy === null && device.runsFrpc && values.kind === 'udp') throw fieldError('kind', 'mapping.frpc-no-udp');
  const present = await countMappings(tx, owner.deviceId);
  if (present >= MAX_MAPPINGS_PER_DEVICE) throw new AppError('mapping.limit-reached');
  await assertMayAddMapping(tx, owner.deviceId, present);
  await assertAddressAllowed(tx, deps, values);
  const { kind, port } = values;
  const assignedPort =
    kind === 'http' || kind === 'https' || port !== null
      ? port
      : await chooseFreePort(tx, deps, { serverId: device.serverId, kind });
  const inserted = { ...values, ...switches, frpcProxy, port: assignedPort };
  const row = await translateTakenAddress(() => insertMapping(tx, device, inserted));
  if (values.customDomain !== null) {
    await assertRoomForDomain(tx, owner.userId);
    await replaceDomainCheck(tx, row.id, values.customDomain);
  }
  if (values.prefix !== null) await claimPrefix(tx, { id: row.id, userId: owner.userId });
  return { ...inserted, ...row };
}
