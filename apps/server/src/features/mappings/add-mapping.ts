import { must } from '@tongtu/base';
import type { Db } from '../../db/driver.ts';
import { announceDeviceChange } from '../live/index.ts';
import { insertMapping, findDeviceForNoKeyUpdate, type NewMapping } from './mapping-store.ts';

/** Adds a mapping to a device of the installation itself, without the checks for owners. Returns its id. */
export async function addMapping(
  tx: Db,
  owner: { deviceId: number; userId: number },
  values: NewMapping,
): Promise<number> {
  const device = must(await findDeviceForNoKeyUpdate(tx, owner), 'the device of the new mapping');
  const { id } = await insertMapping(tx, device, values);
  await announceDeviceChange(tx, owner);
  return id;
}
