import { must } from '@tongtu/base';
import { AppError, type MappingPatch } from '@tongtu/contract';
import { announceDeviceChange } from '../live/index.ts';
import type { MappingDeps } from './mapping-deps.ts';
import { findMapping, lockMapping, updateMapping, type MappingRow } from './mapping-store.ts';
import { prefixError, refusingTakenPrefix } from './prefix-taken.ts';
import { readPrivateTarget } from './private-target.ts';
import { isReservedPrefix } from './reserved-prefix.ts';

/**
 * Changes what is given of one's own mapping; a target alone brings its protocol along.
 * Throws mapping.not-found, mapping.prefix-reserved, mapping.prefix-taken, mapping.target-not-private.
 */
export async function changeMapping(
  deps: MappingDeps,
  mapping: { id: number; userId: number },
  patch: MappingPatch,
): Promise<MappingRow> {
  const changes = readChanges(patch);
  return await deps.db.transaction().execute(async (tx) => {
    const before = await lockMapping(tx, mapping.id, mapping.userId);
    if (before === undefined) throw new AppError('mapping.not-found');
    // The welcome mapping keeps its reserved name when a form sends every field back.
    const { prefix = before.prefix } = patch;
    if (prefix !== before.prefix && isReservedPrefix(prefix, deps.consolePrefixes))
      throw prefixError('mapping.prefix-reserved');
    if (Object.keys(changes).length === 0) return before;
    await refusingTakenPrefix(() => updateMapping(tx, mapping.id, changes));
    await announceDeviceChange(tx, { deviceId: before.deviceId, userId: mapping.userId });
    return must(await findMapping(tx, mapping.id, mapping.userId), 'the mapping just changed');
  });
}

function readChanges(patch: MappingPatch): Parameters<typeof updateMapping>[2] {
  const { target, ...others } = patch;
  // Absent and undefined differ for Kysely's types only: it writes no column for either.
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  if (target === undefined) return given;
  const { protocol: kind, host: targetHost, port: targetPort } = readPrivateTarget(target);
  return { ...given, kind, targetHost, targetPort };
}
