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
 * The mapping that makes a fresh installation useful: made once, kept on the page's current port as long as its owner
 * did not change it. Its public address; undefined when the owner deleted it.
 */
export async function ensureWelcomeMapping(
  deps: PublicPlace & { db: Db },
  page: WelcomePage,
): Promise<string | undefined> {
  return await deps.db.transaction().execute(async (tx) => {
    const saved = await findWelcomeMappingForUpdate(tx);
    const device = must(await findDeviceByUid(tx, page.deviceUid), 'the device of the welcome page');
    const mapping = saved ? await follow(tx, saved, device, page) : await create(tx, device, page);
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
      // The page shows nothing private, and a first visit should not begin at a locked gate.
      policy: 'public',
      remark: '示例页面',
    },
  );
  await saveWelcomeMapping(tx, { mappingId, targetPort: page.targetPort });
  return must(await findMapping(tx, mappingId, device.userId), 'the welcome mapping just made');
}

/** Follows the page to another port, or to the device that this machine enrolled as after its state was lost. */
async function follow(
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
