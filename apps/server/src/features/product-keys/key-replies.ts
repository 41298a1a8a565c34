import { ProductKeyStatus, type OwnKey, type Place, type PlaceKey } from '@tongtu/contract';
import { termsReply } from '../products/index.ts';
import type { ListedKey } from './key-list-store.ts';
import type { KeySecrets } from './key-secret.ts';
import type { OwnKeyRow } from './own-key-store.ts';
import type { KeyCounts, PlaceRow } from './place-store.ts';

export function placeKeyReply(secrets: KeySecrets, key: ListedKey): PlaceKey {
  const { id, hint, status, note, placeId, placeName } = key;
  return {
    ...{ id, hint, status, note },
    text: openIfUsable(secrets, key),
    product: termsReply(key),
    place: placeId === null ? null : { id: placeId, name: placeName ?? '' },
    batch: key.batchId,
    price_fen: key.priceFen,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    redeemed_at: key.redeemedAt?.toISOString() ?? null,
  };
}

export function ownKeyReply(secrets: KeySecrets, key: OwnKeyRow): OwnKey {
  const { id, hint, status, planId } = key;
  return {
    ...{ id, hint, status, plan: planId },
    text: openIfUsable(secrets, key),
    product: termsReply(key),
    expires_at: key.expiresAt?.toISOString() ?? null,
    redeemed_at: key.redeemedAt?.toISOString() ?? null,
  };
}

/** The text of a key that can still be redeemed. Of any other it is of no use, and stays sealed. */
export function openIfUsable(
  secrets: KeySecrets,
  key: Pick<ListedKey, 'status' | 'keyHash' | 'keySealed'>,
): string | null {
  return key.status === 'unused' || key.status === 'issued' ? secrets.open(key) : null;
}

export function placeReply(place: PlaceRow, allCounts: readonly KeyCounts[]): Place {
  const { id, name, note, promoterId, promoterName } = place;
  const counts = allCounts.filter(({ placeId }) => placeId === id);
  const countOf = (status: ProductKeyStatus) => counts.find((count) => count.status === status);
  return {
    ...{ id, name, note },
    promoter: promoterId === null ? null : { id: promoterId, username: promoterName ?? '' },
    counts: Object.fromEntries(
      ProductKeyStatus.options.map((status) => [status, countOf(status)?.keyCount ?? 0]),
    ) as Place['counts'], // one entry for each status
    worth_fen: countOf('redeemed')?.worthFen ?? 0,
    created_at: place.createdAt.toISOString(),
  };
}
