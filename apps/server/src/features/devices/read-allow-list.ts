import { isIP } from 'node:net';
import { AppError, errorCatalogue, type ErrorCode, type FieldErrors } from '@tongtu/contract';
import ipaddr from 'ipaddr.js';

type Wrong = Extract<ErrorCode, 'device.allow-list-invalid' | 'device.allow-list-everyone'>;
type Range = { address: ipaddr.IPv4 | ipaddr.IPv6; bits: number };

const MAPPED_BITS = 96;
/** Nobody's own network is wider; a few wider ones together would be everybody. */
const MIN_BITS = { ipv4: 8, ipv6: 16 };
/** `fc00::/7` is private, as a whole. */
const MIN_PRIVATE_BITS = 7;
const FIRST_IPV4 = ipaddr.IPv6.parse('::ffff:0:0');

/**
 * One spelling for each address and CIDR range (`192.168.1.9/24` is `192.168.1.0/24`), each once.
 * Throws device.allow-list-invalid or device.allow-list-everyone, naming every wrong entry by its index.
 */
export function readAllowList(entries: string[]): string[] {
  const fields: FieldErrors = {};
  const list = new Set<string>();
  let first: Wrong | undefined;
  for (const [index, entry] of entries.entries()) {
    const range = readRange(entry);
    const wrong = wrongOf(range);
    if (wrong !== undefined) {
      fields[`allow_list.${index}`] = [errorCatalogue[wrong]];
      first ??= wrong;
    } else if (range) list.add(formatRange(range));
  }
  if (first !== undefined) throw new AppError(first, { fields });
  return [...list];
}

function wrongOf(range: Range | undefined): Wrong | undefined {
  if (range === undefined) return 'device.allow-list-invalid';
  return range.bits < minBitsOf(range.address) || holdsAllIpv4(range) ? 'device.allow-list-everyone' : undefined;
}

function minBitsOf(address: Range['address']): number {
  return address.range() === 'uniqueLocal' ? MIN_PRIVATE_BITS : MIN_BITS[address.kind()];
}

/** Where IPv4 addresses are compared as IPv6 ones, such a range is everybody with an IPv4 address. */
function holdsAllIpv4({ address, bits }: Range): boolean {
  return address instanceof ipaddr.IPv6 && bits <= MAPPED_BITS && FIRST_IPV4.match(address, bits);
}

function readRange(entry: string): Range | undefined {
  const match = /^([0-9a-f.:]{2,45})(?:\/(0|[1-9]\d{0,2}))?$/i.exec(entry);
  const [, text = '', bitsText] = match ?? [];
  const version = isIP(text);
  if (version === 0) return undefined;
  // The library takes the old `::192.0.2.1` for an IPv4 address, so it is given hexadecimal digits only.
  const address = ipaddr.parse(version === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text);
  const maxBits = version === 4 ? 32 : 128;
  const bits = bitsText === undefined ? maxBits : Number(bitsText);
  if (bits > maxBits) return undefined;
  // Visitors by IPv4 are known by their IPv4 address, however they were received.
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= MAPPED_BITS;
  return isMapped ? { address: address.toIPv4Address(), bits: bits - MAPPED_BITS } : { address, bits };
}

function formatRange({ address, bits }: Range): string {
  const isIpv4 = address.kind() === 'ipv4';
  if (bits === (isIpv4 ? 32 : 128)) return address.toString();
  const range = `${address.toString()}/${bits}`;
  const network = (isIpv4 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(range);
  return `${network.toString()}/${bits}`;
}
