import { SmbProtocolError } from './fields.ts';

/** The largest reply that is asked for, with its headers. */
const MAX_MESSAGE_BYTES = 1024 * 1024 + 64 * 1024;

const MAX_PARTS = 256;

/** Cuts the bytes of a connection into messages (MS-SMB2 §2.1: a zero byte and a length of 24 bits before each). */
export class FrameDecoder {
  #held: Buffer[] = [];
  #heldBytes = 0;

  push(bytes: Buffer): Buffer[] {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    // A target that sends byte by byte: each of these small parts would take a hundred times its size.
    if (this.#held.length > MAX_PARTS) this.#held = [Buffer.concat(this.#held)];
    const messages: Buffer[] = [];
    for (let message = this.#take(); message !== undefined; message = this.#take()) messages.push(message);
    return messages;
  }

  #take(): Buffer | undefined {
    if (this.#heldBytes < 4) return undefined;
    const first = this.#held[0];
    if (first !== undefined && first.length < 4) this.#held = [Buffer.concat(this.#held)];
    const header = this.#held[0]?.readUInt32BE(0) ?? 0;
    // Refused from the header alone: waiting for the rest would let the target fill our memory.
    if (header > MAX_MESSAGE_BYTES) throw new SmbProtocolError(`a message of ${header} bytes`);
    if (this.#heldBytes < 4 + header) return undefined;
    const all = this.#held.length === 1 && this.#held[0] !== undefined ? this.#held[0] : Buffer.concat(this.#held);
    const rest = all.subarray(4 + header);
    this.#held = rest.length > 0 ? [rest] : [];
    this.#heldBytes = rest.length;
    return all.subarray(4, 4 + header);
  }
}

/** What stands before a message of these parts. */
export function frameHeader(parts: readonly Uint8Array[]): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt32BE(parts.reduce((sum, part) => sum + part.length, 0));
  return header;
}
