import { foldKeyText, isOfAlphabet, KEY_HINT_LETTERS, type ProductKeyStatus, readKey } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import type { KeyFilter, KeySearch } from './key-list-store.ts';
import type { KeySecrets } from './key-secret.ts';
import { listVisiblePlaces, type Viewer } from './visible-places.ts';

/** The filters of a list, as they were sent. */
export type KeyQuery = {
  place?: number | undefined;
  status?: ProductKeyStatus | undefined;
  batch?: number | undefined;
  search?: string | undefined;
};

/** What of the keys the caller asks for and may see. */
export async function readFilter(
  { db, secrets }: { db: Db; secrets: KeySecrets },
  viewer: Viewer,
  { place, status, batch, search = '' }: KeyQuery,
): Promise<KeyFilter> {
  const visible = await listVisiblePlaces(db, viewer);
  const isVisible = place === undefined || visible === 'all' || visible.includes(place);
  return {
    places: place === undefined ? visible : isVisible ? [place] : [],
    status,
    batchId: batch,
    search: search === '' ? undefined : readSearch(secrets, search),
  };
}

function readSearch(secrets: KeySecrets, typed: string): KeySearch {
  const letters = readKey(typed);
  if (letters !== undefined) return { keyHash: secrets.hash(letters) };
  const folded = foldKeyText(typed);
  const isEnd = folded.length >= KEY_HINT_LETTERS && isOfAlphabet(folded);
  return { hint: isEnd ? folded.slice(-KEY_HINT_LETTERS) : undefined, note: typed };
}
