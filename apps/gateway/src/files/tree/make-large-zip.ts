import { makeZip } from 'client-zip';
import type { ZipEntry } from './zip-entries.ts';

const END_BYTES = 22;
const END64_BYTES = 76;
const END_SIGNATURE = 0x06054b50;
const END64_SIGNATURE = 0x06064b50;
const LOCATOR_SIGNATURE = 0x07064b50;
const MAX_COUNT = 0xffff;

/**
 * A zip by client-zip. For more than 65 535 entries it adds the record that client-zip writes only for large files
 * (APPNOTE 4.3.14, 4.3.15); without it programs complain, or show fewer.
 */
export async function* makeLargeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  let count = 0;
  async function* counted(): AsyncGenerator<ZipEntry> {
    for await (const entry of entries) {
      count++;
      yield entry;
    }
  }
  let tail = Buffer.alloc(0);
  for await (const chunk of makeZip(counted())) {
    const all = Buffer.concat([tail, chunk]);
    const sent = Math.max(0, all.length - END64_BYTES - END_BYTES);
    if (sent > 0) yield all.subarray(0, sent);
    tail = all.subarray(sent);
  }
  const endAt = tail.length - END_BYTES;
  yield tail.subarray(0, endAt);
  const end = tail.subarray(endAt);
  const hasEnd64 = endAt === END64_BYTES && tail.readUInt32LE(0) === END64_SIGNATURE;
  if (count > MAX_COUNT && !hasEnd64) yield end64(count, end);
  yield end;
}

function end64(count: number, end: Buffer): Buffer {
  if (end.readUInt32LE(0) !== END_SIGNATURE) throw new Error('the zip has no end');
  const [size, offset] = [BigInt(end.readUInt32LE(12)), BigInt(end.readUInt32LE(16))];
  const record = Buffer.alloc(END64_BYTES);
  record.writeUInt32LE(END64_SIGNATURE);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(45, 12); // the version that made it
  record.writeUInt16LE(45, 14); // and the one that is needed
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(size, 40);
  record.writeBigUInt64LE(offset, 48);
  record.writeUInt32LE(LOCATOR_SIGNATURE, 56);
  record.writeBigUInt64LE(offset + size, 64);
  record.writeUInt32LE(1, 72);
  return record;
}
