import { formatKey, keyOfNumbers, type OwnKey, type Place, type PlaceKey } from '@tongtu/contract';
import { orderOf } from './shop-fixtures.ts';

/** A key with a right check letter. */
export function keyText(seed: number): string {
  return formatKey(keyOfNumbers(Array.from({ length: 19 }, (_, at) => (at * 7 + seed) % 32)));
}

const { product } = orderOf();

export function placeKeyOf(id: number, given: Partial<PlaceKey> = {}): PlaceKey {
  const text = keyText(id);
  return {
    ...{ id, text, hint: text.slice(-5), product, place: { id: 3, name: '淘宝店' }, batch: 11 },
    ...{ status: 'unused', note: '', price_fen: 2600, expires_at: null, redeemed_at: null },
    created_at: '2026-11-01T00:00:00.000Z',
    ...given,
  };
}

export function ownKeyOf(id: number, given: Partial<OwnKey> = {}): OwnKey {
  const text = keyText(id);
  return {
    ...{ id, text, hint: text.slice(-5), product, status: 'issued', expires_at: null, redeemed_at: null, plan: null },
    ...given,
  };
}

export function placeOf(given: Partial<Place> = {}): Place {
  return {
    ...{ id: 3, name: '淘宝店', note: '', promoter: { id: 9, username: 'wang' }, worth_fen: 5200 },
    counts: { unused: 10, issued: 3, redeemed: 2, void: 1, expired: 0 },
    created_at: '2026-11-01T00:00:00.000Z',
    ...given,
  };
}
