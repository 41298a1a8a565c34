import { fieldValue } from '../codecs/http/fields.ts';
import type { RequestHead } from '../codecs/http/request-head.ts';

/** Whether a browser fetches this before anybody goes there: any page can have it do so unseen, with the cookies of a visit. */
export function isFetchedAhead({ fields }: Pick<RequestHead, 'fields'>): boolean {
  return fieldValue(fields, 'sec-purpose') !== undefined || fieldValue(fields, 'purpose') === 'prefetch';
}
