import { must } from '@tongtu/base';
import { AppError, MAX_MAPPINGS_PER_DEVICE } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { announceDeviceChange } from '../live/index.ts';
import { refusingTakenAddress } from './address-taken.ts';
import { claimingDomain } from './claim-domain.ts';
import type { MappingDeps } from './mapping-deps.ts';
import { type CreateMappingInput, settableColumns } from './mapping-columns.ts';
import {
  countMappings,
  findMapping,
  insertMapping,
  isOwnDevice,
  lockDevice,
  type MappingRow,
  type MappingValues,
} from './mapping-store.ts';
import { assertMayHave, chooseFreePort } from './public-address.ts';
import { claimPrefix } from './released-prefix.ts';

// A chosen port can only be lost to someone who asked for that very one at the same moment.
const MAX_PORT_CHOICES = 5;

/**
 * Gives a LAN service of one's own device a public address; a port that was not asked for is chosen here.
 * Throws device.not-found, mapping.limit-reached, mapping.prefix-reserved, mapping.prefix-taken, mapping.prefixes-used-up,
 * mapping.domain-reserved, mapping.domain-taken, mapping.domain-unproven, mapping.port-out-of-range,
 * mapping.port-taken, mapping.ports-exhausted, mapping.target-not-private, mapping.target-credentials, request.too-many.
 */
export async function createMapping(
  deps: MappingDeps,
  owner: { deviceId: number; userId: number },
  input: CreateMappingInput,
): Promise<MappingRow> {
  const open = settableColumns(input);
  if (!(await isOwnDevice(deps.db, owner))) throw new AppError('device.not-found');
  // Before the transaction, and for one's own device alone: it takes its time on purpose.
  const passwordHash = input.password === undefined ? null : await deps.hashPassword(owner.userId, input.password);
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

async function insert(
  deps: MappingDeps,
  owner: { deviceId: number; userId: number },
  values: MappingValues,
  prepare: (tx: Db) => Promise<void>,
): Promise<MappingRow> {
  return await deps.db.transaction().execute(async (tx) => {
    await prepare(tx);
    if (!(await lockDevice(tx, owner))) throw new AppError('device.not-found');
    if ((await countMappings(tx, owner.deviceId)) >= MAX_MAPPINGS_PER_DEVICE)
      throw new AppError('mapping.limit-reached');
    await assertMayHave(tx, deps, values);
    const { kind, port } = values;
    const chosen =
      kind === 'http' || kind === 'https' || port !== null
        ? port
        : await chooseFreePort(tx, deps, { deviceId: owner.deviceId, kind });
    const inserted = await refusingTakenAddress(() => insertMapping(tx, owner, { ...values, port: chosen }));
    const id = must(inserted, 'the locked device');
    if (values.prefix !== null) await claimPrefix(tx, { id, userId: owner.userId });
    await announceDeviceChange(tx, owner);
    return must(await findMapping(tx, id, owner.userId), 'the mapping just made');
  });
}
