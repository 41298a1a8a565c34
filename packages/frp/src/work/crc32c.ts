const POLYNOMIAL = 0x82_f6_3b_78;
const MASK = 0xa2_82_ea_d8;

// Signed, so that V8 keeps the values as small integers.
const table = new Int32Array(256);
for (let value = 0; value < 256; value++) {
  let rest = value;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  table[value] = rest;
}

/** The masked CRC-32C of the snappy framing format. */
export function maskedCrc32c(bytes: Buffer): number {
  let crc = -1;
  for (let at = 0; at < bytes.length; at++) crc = (table[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
  crc = ~crc;
  return (((crc >>> 15) | (crc << 17)) + MASK) >>> 0;
}
