/** The target has sent what is not SMB, or not what was asked for. */
export class SmbProtocolError extends Error {
  override readonly name = 'SmbProtocolError';
}

/** Part of a message. Lengths and offsets come from the target, and `subarray` alone would cut silently. */
export function bytesAt(message: Buffer, offset: number, length: number): Buffer {
  if (offset < 0 || length < 0 || offset + length > message.length)
    throw new SmbProtocolError(`${length} bytes at ${offset} of ${message.length}`);
  return message.subarray(offset, offset + length);
}

export function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}

export function uint16s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16LE(value, index * 2));
  return bytes;
}

export function uint32s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32LE(value >>> 0, index * 4));
  return bytes;
}

const EPOCH_OFFSET_MS = 11_644_473_600_000n;

/** FILETIME: 100 ns since 1601. */
export function epochMsOf(fileTime: bigint): number {
  return Number(fileTime / 10_000n - EPOCH_OFFSET_MS);
}

export function fileTimeOf(epochMs: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE((BigInt(epochMs) + EPOCH_OFFSET_MS) * 10_000n);
  return bytes;
}
