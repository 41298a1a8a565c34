import { type ClientHello, parseClientHello } from './client-hello.ts';

/** All bytes up to the end of the ClientHello. Those of browsers have 0.5–2 KB, also with post-quantum keys. */
const MAX_HELLO_BYTES = 16 * 1024;
const RECORD_HEADER_BYTES = 5;
const HANDSHAKE_RECORD = 22;
const MAJOR_VERSION = 3;
const MESSAGE_HEADER_BYTES = 4;
const CLIENT_HELLO = 1;

export type HelloReading =
  | { type: 'incomplete' }
  | { type: 'refused' }
  /** `bytes`: everything read so far, unchanged. */
  | { type: 'complete'; hello: ClientHello; bytes: Buffer };

const INCOMPLETE: HelloReading = { type: 'incomplete' };
const REFUSED: HelloReading = { type: 'refused' };

/** Finds the ClientHello at the beginning of a connection, in any split into records and chunks. */
export class ClientHelloReader {
  /** Capacity; the first `#length` bytes were received. */
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  /** Where the first record begins that is not whole yet. */
  #at = 0;
  #message: Buffer = Buffer.alloc(0);

  /** `refused` and `complete` are final. */
  push(chunk: Buffer): HelloReading {
    this.#append(chunk);
    for (;;) {
      const header = this.#bytes.subarray(this.#at, Math.min(this.#at + RECORD_HEADER_BYTES, this.#length));
      if (!canBeRecordHeader(header)) return REFUSED;
      if (header.length < RECORD_HEADER_BYTES) return INCOMPLETE;
      const from = this.#at + RECORD_HEADER_BYTES;
      const end = from + header.readUInt16BE(3);
      // Refused from the header alone, so the buffer never exceeds the limit and one read.
      if (end > MAX_HELLO_BYTES) return REFUSED;
      if (end > this.#length) return INCOMPLETE;
      this.#at = end;
      const record = this.#bytes.subarray(from, end);
      this.#message = this.#message.length === 0 ? record : Buffer.concat([this.#message, record]);
      const missing = missingBytes(this.#message);
      if (missing === undefined) return REFUSED;
      if (missing === 0) return this.#complete();
    }
  }

  /** The usual case, one chunk with everything, needs no copy. */
  #append(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (this.#length === 0) {
      this.#bytes = chunk;
    } else {
      if (length > this.#bytes.length) {
        const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#length));
        this.#bytes.copy(larger, 0, 0, this.#length);
        this.#bytes = larger;
      }
      chunk.copy(this.#bytes, this.#length);
    }
    this.#length = length;
  }

  #complete(): HelloReading {
    const hello = parseClientHello(this.#message);
    if (hello === undefined) return REFUSED;
    return { type: 'complete', hello, bytes: this.#bytes.subarray(0, this.#length) };
  }
}

/** Whether these bytes, up to five, can begin a handshake record. An empty one carries nothing and only costs. */
function canBeRecordHeader(header: Buffer): boolean {
  const [type, major] = header;
  if (type !== undefined && type !== HANDSHAKE_RECORD) return false;
  if (major !== undefined && major !== MAJOR_VERSION) return false;
  return header.length < RECORD_HEADER_BYTES || header.readUInt16BE(3) > 0;
}

/** How many bytes are missing, at least; undefined when the bytes cannot become one ClientHello. */
function missingBytes(message: Buffer): number | undefined {
  if (message[0] !== CLIENT_HELLO) return undefined;
  if (message.length < MESSAGE_HEADER_BYTES) return MESSAGE_HEADER_BYTES - message.length;
  const missing = MESSAGE_HEADER_BYTES + message.readUIntBE(1, 3) - message.length;
  return missing < 0 || missing > MAX_HELLO_BYTES ? undefined : missing;
}
