import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const MAX_ENTRIES = 20;

/**
 * The contents of a zip file's entries, stored or deflated, without their names (Alipay writes them in GBK). Throws for
 * anything else, and when all contents together would exceed `maxBytes`.
 */
export function zipEntries(zip: Buffer, { maxBytes }: { maxBytes: number }): Buffer[] {
  const end = findEnd(zip);
  const count = zip.readUInt16LE(end + 10);
  if (count > MAX_ENTRIES) throw new Error(`a zip file of ${count} entries`);
  const contents: Buffer[] = [];
  let left = maxBytes;
  let at = zip.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error('a broken directory of a zip file');
    const content = readEntry(zip, at, left);
    left -= content.length;
    contents.push(content);
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return contents;
}

function findEnd(zip: Buffer): number {
  const first = Math.max(0, zip.length - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = zip.length - END_BYTES; at >= first; at--) {
    if (zip.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  }
  throw new Error('not a zip file');
}

function readEntry(zip: Buffer, at: number, maxBytes: number): Buffer {
  const method = zip.readUInt16LE(at + 10);
  const packedBytes = zip.readUInt32LE(at + 20);
  const local = zip.readUInt32LE(at + 42);
  if (zip.readUInt32LE(local) !== LOCAL_ENTRY) throw new Error('a broken entry of a zip file');
  const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(from, from + packedBytes);
  if (packed.length !== packedBytes) throw new Error('a truncated zip file');
  switch (method) {
    case 0:
      if (packed.length > maxBytes) throw new Error('a zip file with too large contents');
      return packed;
    case 8:
      // Node's zlib throws as soon as the output exceeds the limit.
      return packed.length === 0 || maxBytes <= 0
        ? Buffer.alloc(0)
        : inflateRawSync(packed, { maxOutputLength: maxBytes });
    default:
      throw new Error(`a zip file with compression ${method}`);
  }
}
