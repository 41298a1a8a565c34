import { must } from '@tongtu/base';
import type { Db } from '../../db/driver.ts';
import { findDeviceByUid, type DeviceRow } from '../devices/index.ts';
import { announceDeviceChange } from '../live/index.ts';
import {
  addMapping,
  findMapping,
  mappingUrl,
  moveMapping,
  type MappingRow,
  type PublicPlace,
} from '../mappings/index.ts';
import { findWelcomeMappingForUpdate, saveWelcomeMapping, type WelcomeMapping } from './welcome-store.ts';

type WelcomePage = { deviceUid: string; targetPort: number };

/**
 * Creates the welcome mapping once, and updates its target to the welcome page's port unless its owner has changed it.
 * Returns its public address; undefined when the owner has deleted it.
 */
export async function ensureWelcomeMapping(
  deps: PublicPlace & { db: Db },
  page: WelcomePage,
): Promise<string | undefined> {
  return await deps.db.transaction().execute(async (tx) => {
    const saved = await findWelcomeMappingForUpdate(tx);
    const device = must(await findDeviceByUid(tx, page.deviceUid), 'the device of the welcome page');
    const mapping = saved ? await updateTarget(tx, saved, device, page) : await create(tx, device, page);
    return mapping && mappingUrl(deps, mapping);
  });
}

async function create(tx: Db, device: DeviceRow, page: WelcomePage): Promise<MappingRow> {
  const mappingId = await addMapping(
    tx,
    { deviceId: device.id, userId: device.userId },
    {
      kind: 'http',
      prefix: 'welcome',
      targetHost: '127.0.0.1',
      targetPort: page.targetPort,
      // The page shows nothing private, and the first visit should need no login.
      policy: 'public',
      remark: '示例页面',
    },
  );
  await saveWelcomeMapping(tx, { mappingId, targetPort: page.targetPort });
  return must(await findMapping(tx, mappingId, device.userId), 'the new welcome mapping');
}

/** Updates the target when the page has another port, or when this machine was enrolled as another device. */
async function updateTarget(
  tx: Db,
  saved: WelcomeMapping,
  device: DeviceRow,
  page: WelcomePage,
): Promise<MappingRow | undefined> {
  const mapping = await findMapping(tx, saved.mappingId, device.userId);
  if (!mapping) return undefined;
  const isUnchanged = mapping.targetHost === '127.0.0.1' && mapping.targetPort === saved.targetPort;
  const isCurrent = mapping.deviceId === device.id && mapping.targetPort === page.targetPort;
  if (!isUnchanged || isCurrent) return mapping;
  await moveMapping(tx, mapping.id, { deviceId: device.id, targetPort: page.targetPort });
  await saveWelcomeMapping(tx, { mappingId: mapping.id, targetPort: page.targetPort });
  for (const deviceId of new Set([mapping.deviceId, device.id])) {
    await announceDeviceChange(tx, { deviceId, userId: device.userId });
  }
  return mapping;
}
