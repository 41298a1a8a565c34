const LINE_LENGTH = 76;

/** The hash by which search engines of devices list icons: MurmurHash3 of the base64 text in lines of 76 characters. */
export function faviconHash(icon: Buffer): number {
  const lines = icon.toString('base64').match(new RegExp(`.{1,${LINE_LENGTH}}`, 'g')) ?? [];
  return murmurHash3(Buffer.from(lines.map((line) => `${line}\n`).join('')));
}

/** MurmurHash3 x86 32 bit with seed 0, as a signed number. */
export function murmurHash3(bytes: Buffer): number {
  const blocksEnd = bytes.length - (bytes.length % 4);
  let hash = 0;
  for (let at = 0; at < blocksEnd; at += 4) {
    hash ^= mix(bytes.readInt32LE(at));
    hash = Math.imul(rotate(hash, 13), 5) + 0xe6_54_6b_64;
  }
  let rest = 0;
  for (let at = bytes.length - 1; at >= blocksEnd; at--) rest = (rest << 8) | (bytes[at] ?? 0);
  hash ^= mix(rest) ^ bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return hash ^ (hash >>> 16);
}

function mix(block: number): number {
  return Math.imul(rotate(Math.imul(block, 0xcc_9e_2d_51), 15), 0x1b_87_35_93);
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
