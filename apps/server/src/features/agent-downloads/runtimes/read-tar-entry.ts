const BLOCK_BYTES = 512;

/** The content of one file of a tar archive. Throws if the archive does not have it, or ends within it. */
export async function* readTarEntry(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  let pending: Buffer = Buffer.alloc(0);
  let skipBytes = 0;
  let wantedBytes = 0;
  for await (const chunk of chunks) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (;;) {
      if (wantedBytes > 0) {
        const part = pending.subarray(0, wantedBytes);
        pending = pending.subarray(part.length);
        wantedBytes -= part.length;
        if (part.length > 0) yield part;
        if (wantedBytes > 0) break;
        return;
      }
      const skipped = Math.min(skipBytes, pending.length);
      pending = pending.subarray(skipped);
      skipBytes -= skipped;
      if (skipBytes > 0 || pending.length < BLOCK_BYTES) break;
      const header = readHeader(pending.subarray(0, BLOCK_BYTES));
      pending = pending.subarray(BLOCK_BYTES);
      if (header.name === name && header.bytes > 0) wantedBytes = header.bytes;
      else skipBytes = Math.ceil(header.bytes / BLOCK_BYTES) * BLOCK_BYTES;
    }
  }
  throw new Error(`the archive ends without all of ${name}`);
}

/** POSIX ustar: name (100 bytes), size (octal, at 124), prefix of the name (at 345). An empty block has no name. */
function readHeader(block: Buffer): { name: string; bytes: number } {
  const text = (from: number, to: number) => block.toString('utf8', from, to).split('\0')[0] ?? '';
  const prefix = text(257, 262) === 'ustar' ? text(345, 500) : '';
  const bytes = Number.parseInt(text(124, 136).trim() || '0', 8);
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new Error('a header of the archive is damaged');
  return { name: prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`, bytes };
}
