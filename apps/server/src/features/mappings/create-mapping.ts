import { must } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { announceDeviceChange } from '../live/index.ts';
import { findMapping, insertMapping, type MappingRow } from './mapping-store.ts';
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

/**
 * Gives a LAN service of one's own device a public name.
 * Throws device.not-found, mapping.prefix-reserved, mapping.prefix-taken, mapping.target-not-private.
 */
export async function createMapping(db: Db, input: CreateMappingInput): Promise<MappingRow> {
  if (isReservedPrefix(input.prefix)) throw prefixError('mapping.prefix-reserved');
  const { protocol: kind, host: targetHost, port: targetPort } = readPrivateTarget(input.target);
  const values = { kind, prefix: input.prefix, targetHost, targetPort, policy: input.policy, remark: input.remark };
  return await db.transaction().execute(async (tx) => {
    const id = await refusingTakenPrefix(() => insertMapping(tx, input, values));
    if (id === undefined) throw new AppError('device.not-found');
    await announceDeviceChange(tx, input);
    return must(await findMapping(tx, id, input.userId), 'the mapping just made');
  });
}
