import { type AddressRange, formatRange, holdsAllIpv4, parseRange } from '@tongtu/base';
import { AppError, errorCatalogue, type ErrorCode, type FieldErrors } from '@tongtu/contract';

type Wrong = Extract<ErrorCode, 'device.allow-list-invalid' | 'device.allow-list-everyone'>;

/** Nobody's own network is wider; a few wider ones together would be everybody. */
const MIN_BITS = { ipv4: 8, ipv6: 16 };
/** `fc00::/7` is private, as a whole. */
const MIN_PRIVATE_BITS = 7;

/**
 * One spelling for each address and CIDR range (`192.168.1.9/24` is `192.168.1.0/24`), each once.
 * Throws device.allow-list-invalid or device.allow-list-everyone, naming every wrong entry by its index.
 */
export function readAllowList(entries: string[]): string[] {
  const fields: FieldErrors = {};
  const list = new Set<string>();
  let first: Wrong | undefined;
  for (const [index, entry] of entries.entries()) {
    const range = parseRange(entry);
    const wrong = wrongOf(range);
    if (wrong !== undefined) {
      fields[`allow_list.${index}`] = [errorCatalogue[wrong]];
      first ??= wrong;
    } else if (range) list.add(formatRange(range));
  }
  if (first !== undefined) throw new AppError(first, { fields });
  return [...list];
}

function wrongOf(range: AddressRange | undefined): Wrong | undefined {
  if (range === undefined) return 'device.allow-list-invalid';
  return range.bits < minBitsOf(range.address) || holdsAllIpv4(range) ? 'device.allow-list-everyone' : undefined;
}

function minBitsOf(address: AddressRange['address']): number {
  return address.range() === 'uniqueLocal' ? MIN_PRIVATE_BITS : MIN_BITS[address.kind()];
}
