import { fieldError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import {
  countReleasedPrefixes,
  insertReleasedPrefixes,
  isPrefixOfMappingReleased,
  type Released,
  takeReleasedPrefix,
} from './released-prefix-store.ts';

// Names are not taken from others by having them for a moment, one after the other.
const MAX_KEPT_PREFIXES = 1_000;

/**
 * Keeps the names of mappings that are about to lose them for their owner, for 30 days. A page of the owner's may have left
 * a service worker in visitors' browsers: under another owner it would read all that they do there.
 */
export async function releasePrefixes(tx: Db, released: Released): Promise<void> {
  await insertReleasedPrefixes(tx, released);
}

/**
 * Whether the mapping may have the name that it has been given. Looked at after that: whoever was about to give the name up
 * has done so by then. Throws mapping.prefix-taken, mapping.prefixes-used-up.
 */
export async function claimPrefix(tx: Db, mapping: { id: number; userId: number }): Promise<void> {
  if (await takeReleasedPrefix(tx, mapping)) return;
  if (await isPrefixOfMappingReleased(tx, mapping.id)) throw fieldError('prefix', 'mapping.prefix-taken');
  if ((await countReleasedPrefixes(tx, mapping.userId, MAX_KEPT_PREFIXES)) >= MAX_KEPT_PREFIXES)
    throw fieldError('prefix', 'mapping.prefixes-used-up');
}
