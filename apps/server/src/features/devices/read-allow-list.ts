import { type AddressRange, formatRange, holdsAllIpv4, parseRange } from '@tongtu/base';
import { AppError, errorCatalogue, type ErrorCode, type FieldErrors } from '@tongtu/contract';

type EntryError = Extract<ErrorCode, 'device.allow-list-invalid' | 'device.allow-list-everyone'>;

/** Wider ranges are refused: no network of one owner is wider, and a few of them would cover the whole internet. */
const MIN_BITS = { ipv4: 8, ipv6: 16 };
/** All of `fc00::/7` is private. */
const MIN_PRIVATE_BITS = 7;

/**
 * Returns the addresses and CIDR ranges in canonical form (`192.168.1.9/24` is `192.168.1.0/24`), without duplicates.
 * Throws device.allow-list-invalid or device.allow-list-everyone, with every invalid entry by its index.
 */
export function readAllowList(entries: string[]): string[] {
  const fields: FieldErrors = {};
  const list = new Set<string>();
  let first: EntryError | undefined;
  for (const [index, entry] of entries.entries()) {
    const range = parseRange(entry);
    const error = errorOf(range);
    if (error !== undefined) {
      fields[`allow_list.${index}`] = [errorCatalogue[error]];
      first ??= error;
    } else if (range) list.add(formatRange(range));
  }
  if (first !== undefined) throw new AppError(first, { fields });
  return [...list];
}

function errorOf(range: AddressRange | undefined): EntryError | undefined {
  if (range === undefined) return 'device.allow-list-invalid';
  return range.bits < minBitsOf(range.address) || holdsAllIpv4(range) ? 'device.allow-list-everyone' : undefined;
}

function minBitsOf(address: AddressRange['address']): number {
  return address.range() === 'uniqueLocal' ? MIN_PRIVATE_BITS : MIN_BITS[address.kind()];
}
