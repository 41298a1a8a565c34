import { AppError, readKey, type ErrorCode, type ProductKeyStatus } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { recordAuditEntry, type AuditActor } from '../audit/index.ts';
import type { KeySecrets } from './key-secret.ts';
import * as store from './key-store.ts';
import { listVisiblePlaces, type Viewer } from './visible-places.ts';

export type Marking = { keys: readonly string[]; status: 'unused' | 'issued' | 'void'; reason: string };
type SkipCode = Extract<ErrorCode, `product-key.${'unknown' | 'redeemed' | 'void' | 'expired'}`>;
export type MarkResult = { changed: number; skipped: { key: string; code: SkipCode }[] };

const FINAL: readonly ProductKeyStatus[] = ['redeemed', 'void', 'expired'];

/**
 * Gives keys another status, all that can have it. Keys that the caller does not see are unknown. A key that is named twice
 * counts once.
 */
export async function markKeys(
  { db, secrets }: { db: Db; secrets: KeySecrets },
  caller: { viewer: Viewer; actor: AuditActor },
  { keys, status, reason }: Marking,
): Promise<MarkResult> {
  const skipped: MarkResult['skipped'] = [];
  const typedByHash = new Map<string, string>();
  for (const typed of new Set(keys)) {
    const letters = readKey(typed);
    if (letters === undefined) skipped.push({ key: typed, code: 'product-key.unknown' });
    else if (!typedByHash.has(hexOf(secrets, letters))) typedByHash.set(hexOf(secrets, letters), typed);
  }
  const hashes = Array.from(typedByHash.keys(), (hash) => Buffer.from(hash, 'hex'));
  return await db.transaction().execute(async (tx) => {
    const places = await listVisiblePlaces(tx, caller.viewer);
    const found = await store.lockKeysForUpdate(tx, { hashes, places });
    const foundByHash = new Map(found.map((key) => [key.keyHash.toString('hex'), key]));
    const changed: store.LockedKey[] = [];
    for (const [hash, typed] of typedByHash) {
      const key = foundByHash.get(hash);
      const code = skipCodeOf(key?.status);
      if (key === undefined || code !== undefined) skipped.push({ key: typed, code: code ?? 'product-key.unknown' });
      else changed.push(key);
    }
    if (changed.length > 0) await change(tx, changed, { status, reason, actor: caller.actor });
    return { changed: changed.length, skipped };
  });
}

/** Why a key stays as it is. Undefined for one that can be marked. */
function skipCodeOf(status: ProductKeyStatus | undefined): SkipCode | undefined {
  if (status === 'redeemed' || status === 'void' || status === 'expired') return `product-key.${status}`;
  return undefined;
}

async function change(
  tx: Db,
  keys: readonly store.LockedKey[],
  { status, reason, actor }: { status: ProductKeyStatus; reason: string; actor: AuditActor },
): Promise<void> {
  const [first] = keys;
  await recordAuditEntry(tx, actor, {
    action: 'product-keys.marked',
    object: {
      type: 'product-key',
      id: keys.length === 1 && first ? first.id : null,
      name: keys.length === 1 && first ? first.hint : String(keys.length),
    },
    before: { keys: keys.map((key) => ({ id: key.id, hint: key.hint, status: key.status })) },
    after: { status, reason },
  });
  await store.setStatus(
    tx,
    keys.map(({ id }) => id),
    { status, note: reason },
  );
}

/** Makes the keys of a bulk order void, for its full refund. Throws refund.keys-redeemed, and changes nothing. */
export async function voidKeysOfOrder(tx: Db, orderId: number, actor: AuditActor): Promise<void> {
  const keys = await store.lockKeysOfOrderForUpdate(tx, orderId);
  if (keys.some(({ status }) => status === 'redeemed')) throw new AppError('refund.keys-redeemed');
  const open = keys.filter(({ status }) => !FINAL.includes(status));
  if (open.length > 0) await change(tx, open, { status: 'void', reason: REFUNDED, actor });
}

const REFUNDED = '订单已全额退款';

function hexOf(secrets: KeySecrets, letters: string): string {
  return secrets.hash(letters).toString('hex');
}
