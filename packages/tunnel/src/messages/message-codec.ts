import type { z } from 'zod';
import { ProtocolError } from '../errors.ts';
import { type AgentMessage, MAX_MESSAGE_BYTES, type RelayMessage } from './messages.ts';

const LENGTH_BYTES = 4;
const FIRST_BUFFER_BYTES = 512;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Encodes a control message for stream 1. Throws RangeError for one that the peer would refuse as too long. */
export function encodeMessage(message: AgentMessage | RelayMessage): Buffer {
  const text = JSON.stringify(message);
  const bodyBytes = Buffer.byteLength(text);
  if (bodyBytes > MAX_MESSAGE_BYTES) throw new RangeError(`control message of ${bodyBytes} bytes`);
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + bodyBytes);
  bytes.writeUInt32BE(bodyBytes, 0);
  bytes.write(text, LENGTH_BYTES);
  return bytes;
}

/** Decodes the bytes of stream 1, cut anywhere, into messages. */
export class MessageDecoder<T> {
  readonly #schema: z.ZodType<T>;
  #pending = Buffer.alloc(0);
  #pendingBytes = 0;

  constructor(schema: z.ZodType<T>) {
    this.#schema = schema;
  }

  /** Returns the completed messages. Throws ProtocolError for one that is too long or does not match the schema. */
  push(chunk: Buffer): T[] {
    this.#append(chunk);
    const messages: T[] = [];
    let at = 0;
    while (this.#pendingBytes - at >= LENGTH_BYTES) {
      const bodyBytes = this.#pending.readUInt32BE(at);
      // Refused by the length alone: waiting for the body would let a peer fill our memory.
      if (bodyBytes > MAX_MESSAGE_BYTES) throw new ProtocolError(`control message of ${bodyBytes} bytes`);
      const end = at + LENGTH_BYTES + bodyBytes;
      if (this.#pendingBytes < end) break;
      messages.push(this.#parse(this.#pending.subarray(at + LENGTH_BYTES, end)));
      at = end;
    }
    this.#drop(at);
    return messages;
  }

  #parse(body: Buffer): T {
    const parsed = this.#schema.safeParse(parseJson(body));
    if (!parsed.success) throw new ProtocolError('control message not understood', { cause: parsed.error });
    return parsed.data;
  }

  /** Grows by doubling, so that a message that arrives byte by byte is not copied for each byte. */
  #append(chunk: Buffer): void {
    const neededBytes = this.#pendingBytes + chunk.length;
    if (neededBytes > this.#pending.length) {
      const grown = Buffer.allocUnsafe(Math.max(neededBytes, this.#pending.length * 2, FIRST_BUFFER_BYTES));
      this.#pending.copy(grown, 0, 0, this.#pendingBytes);
      this.#pending = grown;
    }
    chunk.copy(this.#pending, this.#pendingBytes);
    this.#pendingBytes = neededBytes;
  }

  #drop(bytes: number): void {
    if (bytes === 0) return;
    this.#pending.copyWithin(0, bytes, this.#pendingBytes);
    this.#pendingBytes -= bytes;
    // An idle control stream keeps no buffer.
    if (this.#pendingBytes === 0) this.#pending = Buffer.alloc(0);
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch (error) {
    throw new ProtocolError('control message is not JSON', { cause: error });
  }
}
