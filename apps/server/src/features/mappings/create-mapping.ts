import { AppError, MAX_MAPPINGS_PER_DEVICE } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { assertRoomForDomain, replaceDomainCheck } from '../domains/index.ts';
import { announceDeviceChange } from '../live/index.ts';
import { refusingTakenAddress } from './address-taken.ts';
import { claimingDomain } from './claim-domain.ts';
import { type CreateMappingInput, settableColumns } from './mapping-columns.ts';
import type { MappingDeps, SavedMapping } from './mapping-deps.ts';
import { countMappings, insertMapping, isOwnDevice, lockDevice, type MappingValues } from './mapping-store.ts';
import { assertMayHave, chooseFreePort } from './public-address.ts';
import { claimPrefix } from './released-prefix.ts';

// A chosen port can only be lost to someone who asked for that very one at the same moment.
const MAX_PORT_CHOICES = 5;

/**
 * Gives a LAN service of one's own device a public address; a port that was not asked for is chosen here.
 * Throws device.not-found, mapping.limit-reached, mapping.prefix-reserved, mapping.prefix-taken, mapping.prefixes-used-up,
 * mapping.domain-reserved, mapping.domain-taken, mapping.domain-unproven, mapping.domains-waiting,
 * mapping.port-out-of-range, mapping.port-taken, mapping.ports-exhausted, mapping.target-not-private, mapping.target-credentials, request.too-many.
 */
export async function createMapping(
  deps: MappingDeps,
  owner: { deviceId: number; userId: number },
  input: CreateMappingInput,
): Promise<SavedMapping> {
  const open = settableColumns(input);
  const passwordHash = input.password === undefined ? null : await hash(deps, owner, input.password);
  const values = { ...open, passwordHash };
  const claim = { userId: owner.userId, customDomain: values.customDomain };
  for (let choice = 1; ; choice++) {
    try {
      return await claimingDomain(deps, claim, async (prepare) => await insert(deps, owner, values, prepare));
    } catch (error) {
      const isChosen = values.port === null && (values.kind === 'tcp' || values.kind === 'udp');
      const isTaken = error instanceof AppError && error.code === 'mapping.port-taken';
      if (!isChosen || !isTaken || choice === MAX_PORT_CHOICES) throw error;
    }
  }
}

/** Before the transaction, and for one's own device alone: it takes its time on purpose. */
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
    const device = await lockDevice(tx, owner);
    if (device === undefined) throw new AppError('device.not-found');
    if ((await countMappings(tx, owner.deviceId)) >= MAX_MAPPINGS_PER_DEVICE)
      throw new AppError('mapping.limit-reached');
    await assertMayHave(tx, deps, values);
    const { kind, port } = values;
    const chosen =
      kind === 'http' || kind === 'https' || port !== null
        ? port
        : await chooseFreePort(tx, deps, { serverId: device.serverId, kind });
    const decided = { ...values, port: chosen };
    const given = await refusingTakenAddress(() => insertMapping(tx, device, decided));
    if (values.customDomain !== null) {
      await assertRoomForDomain(tx, owner.userId);
      await replaceDomainCheck(tx, given.id, values.customDomain);
    }
    if (values.prefix !== null) await claimPrefix(tx, { id: given.id, userId: owner.userId });
    return { row: { ...decided, ...given }, change: await announceDeviceChange(tx, owner) };
  });
}
