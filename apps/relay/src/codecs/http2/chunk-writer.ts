/** A piece of a body as HTTP/1.1 carries it where the length is not known beforehand. */
export function chunkOf(payload: Buffer): Buffer {
  const size = `${payload.length.toString(16)}\r\n`;
  const chunk = Buffer.allocUnsafe(size.length + payload.length + 2);
  chunk.write(size, 0, 'latin1');
  payload.copy(chunk, size.length);
  chunk.write('\r\n', size.length + payload.length, 'latin1');
  return chunk;
}

/** What ends such a body; each trailer line has its CRLF. */
export function lastChunk(trailerLines: string): Buffer {
  return Buffer.from(`0\r\n${trailerLines}\r\n`, 'latin1');
}
