import ipaddr from 'ipaddr.js';
import { type IpAddress, parseAddress } from './ip-address.ts';

/** The addresses that share their first `bits` with `address`. */
export type AddressRange = { address: IpAddress; bits: number };

const ENTRY = /^([0-9a-f.:]{2,45})(?:\/(0|[1-9]\d{0,2}))?$/i;
/** IPv4-mapped addresses are `::ffff:0:0/96` (RFC 4291 §2.5.5.2). */
const MAPPED_BITS = 96;
const FIRST_MAPPED = new ipaddr.IPv6([0, 0, 0, 0, 0, 0xff_ff, 0, 0]);
const ALL_IPV4: AddressRange = { address: new ipaddr.IPv4([0, 0, 0, 0]), bits: 0 };

/**
 * Parses an address or a CIDR range (RFC 4632); undefined for anything else. A range of IPv4-mapped addresses becomes
 * the IPv4 range, because the addresses of visitors are converted in the same way.
 */
export function parseRange(entry: string): AddressRange | undefined {
  const [, text = '', bitsText] = ENTRY.exec(entry) ?? [];
  const address = parseAddress(text);
  if (address === undefined) return undefined;
  const isIpv6 = text.includes(':');
  const bits = bitsText === undefined ? (isIpv6 ? 128 : 32) : Number(bitsText);
  if (bits > (isIpv6 ? 128 : 32)) return undefined;
  if (!isIpv6 || address instanceof ipaddr.IPv6) return { address, bits };
  if (bits >= MAPPED_BITS) return { address, bits: bits - MAPPED_BITS };
  return { address: address.toIPv4MappedAddress(), bits };
}

/** The canonical spelling of a range: its first address, without a length for a single address. */
export function formatRange({ address, bits }: AddressRange): string {
  const isIpv4 = address instanceof ipaddr.IPv4;
  if (bits === (isIpv4 ? 32 : 128)) return address.toString();
  const range = `${address.toString()}/${bits}`;
  const network = (isIpv4 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(range);
  return `${network.toString()}/${bits}`;
}

/** Whether the range contains every IPv4 address, in plain or IPv4-mapped form, as `::/1` does. */
export function holdsAllIpv4({ address, bits }: AddressRange): boolean {
  return address instanceof ipaddr.IPv4 ? bits === 0 : bits <= MAPPED_BITS && FIRST_MAPPED.match(address, bits);
}

/** A set of ranges that is parsed once and searched often. */
export class AddressSet {
  readonly #ranges: readonly AddressRange[];

  constructor(ranges: readonly AddressRange[]) {
    this.#ranges = ranges.some(holdsAllIpv4) ? [...ranges, ALL_IPV4] : ranges;
  }

  /** False for text that is not an address. */
  has(text: string): boolean {
    if (this.#ranges.length === 0) return false;
    const address = parseAddress(text);
    if (address === undefined) return false;
    const kind = address.kind();
    return this.#ranges.some((range) => range.address.kind() === kind && address.match(range.address, range.bits));
  }
}
