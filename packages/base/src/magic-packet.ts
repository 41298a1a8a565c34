import { readMacAddress } from './mac-address.ts';

const MAC_BYTES = 6;
const REPEATS = 16;

/** The packet that wakes a network card: 6 × FF and 16 × its address. Undefined for an address that no card has. */
export function magicPacket(mac: string): Buffer | undefined {
  const known = readMacAddress(mac);
  if (known === undefined) return undefined;
  const address = Buffer.from(known.replaceAll(':', ''), 'hex');
  return Buffer.concat([Buffer.alloc(MAC_BYTES, 0xff), ...Array.from({ length: REPEATS }, () => address)]);
}
