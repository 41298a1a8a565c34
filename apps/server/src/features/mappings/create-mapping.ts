import { must } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import { announceDeviceChange } from '../live/index.ts';
import type { MappingDeps } from './mapping-deps.ts';
import { countMappings, findMapping, insertMapping, lockDevice, type MappingRow } from './mapping-store.ts';
import { prefixError, refusingTakenPrefix } from './prefix-taken.ts';
import { readPrivateTarget } from './private-target.ts';
import { isReservedPrefix } from './reserved-prefix.ts';

export type CreateMappingInput = {
  userId: number;
  deviceId: number;
  prefix: string;
  target: string;
  policy: 'owner' | 'public';
  remark: string;
};

// All mappings of a device travel to its agent in one control message of at most 1 MiB.
const MAX_MAPPINGS_PER_DEVICE = 500;

/**
 * Gives a LAN service of one's own device a public name.
 * Throws device.not-found, mapping.limit-reached, mapping.prefix-reserved, mapping.prefix-taken,
 * mapping.target-not-private.
 */
export async function createMapping(deps: MappingDeps, input: CreateMappingInput): Promise<MappingRow> {
  if (isReservedPrefix(input.prefix, deps.consolePrefixes)) throw prefixError('mapping.prefix-reserved');
  const { protocol: kind, host: targetHost, port: targetPort } = readPrivateTarget(input.target);
  const values = { kind, prefix: input.prefix, targetHost, targetPort, policy: input.policy, remark: input.remark };
  return await deps.db.transaction().execute(async (tx) => {
    if (!(await lockDevice(tx, input))) throw new AppError('device.not-found');
    if ((await countMappings(tx, input.deviceId)) >= MAX_MAPPINGS_PER_DEVICE)
      throw new AppError('mapping.limit-reached');
    const id = await refusingTakenPrefix(() => insertMapping(tx, input, values));
    await announceDeviceChange(tx, input);
    return must(await findMapping(tx, must(id, 'the locked device'), input.userId), 'the mapping just made');
  });
}
