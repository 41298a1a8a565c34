import { fieldError } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import {
  countReleasedPrefixes,
  insertReleasedPrefixes,
  isPrefixOfMappingReleased,
  type Released,
  reclaimReleasedPrefix,
} from './released-prefix-store.ts';

// Limits how many prefixes an account can block by creating and deleting mappings.
const MAX_RELEASED_PREFIXES = 1_000;

/**
 * Reserves the prefixes that these mappings give up for their owner, for 30 days. The owner's page may have installed a
 * service worker in visitors' browsers, which could read their traffic with the next owner.
 */
export async function releasePrefixes(tx: Db, released: Released): Promise<void> {
  await insertReleasedPrefixes(tx, released);
}

/**
 * Checks whether the mapping may have its prefix. Called after the mapping was written: the write has waited for a
 * concurrent transaction that releases the prefix. Throws mapping.prefix-taken, mapping.prefixes-used-up.
 */
export async function claimPrefix(tx: Db, mapping: { id: number; userId: number }): Promise<void> {
  if (await reclaimReleasedPrefix(tx, mapping)) return;
  if (await isPrefixOfMappingReleased(tx, mapping.id)) throw fieldError('prefix', 'mapping.prefix-taken');
  if ((await countReleasedPrefixes(tx, mapping.userId, MAX_RELEASED_PREFIXES)) >= MAX_RELEASED_PREFIXES)
    throw fieldError('prefix', 'mapping.prefixes-used-up');
}
