import type { DeviceLine } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { withPresenceLocked } from '../../devices/index.ts';
import { announceDeviceList } from '../../live/index.ts';
import { clearOtherLines, storeLines } from './line-store.ts';

/** Records which lines of this relay lose packets, and notifies the owners of those that have changed. */
export async function recordLines(
  db: Db,
  relayId: string,
  { lines, isWhole }: { lines: readonly DeviceLine[]; isWhole: boolean },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const given = [...new Map(lines.map((line) => [line.deviceId, line])).values()];
    const deviceIds = given.map(({ deviceId }) => deviceId);
    const cleared = isWhole ? await clearOtherLines(tx, relayId, deviceIds) : [];
    const changed = await withPresenceLocked(tx, deviceIds, () => storeLines(tx, relayId, given));
    await announceDeviceList(tx, [...cleared, ...changed]);
  });
}
