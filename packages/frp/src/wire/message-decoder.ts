import type { FrpMessage } from '../messages.ts';
import { decodeFrpMessage, type Wire } from './frames.ts';

/** Decodes bytes, cut anywhere, into messages. Holds at most one incomplete message. */
export class FrpMessageDecoder {
  readonly #wire: Wire;
  #pending: Buffer = Buffer.alloc(0);

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** Returns the completed messages. Throws FrpError. */
  push(chunk: Buffer): FrpMessage[] {
    let bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const messages: FrpMessage[] = [];
    for (;;) {
      const decoded = decodeFrpMessage(this.#wire, bytes);
      if (decoded === undefined) break;
      messages.push(decoded.value);
      bytes = bytes.subarray(decoded.bytes);
    }
    // A copy: the chunk may be a small part of a large buffer.
    this.#pending = bytes.length === 0 ? Buffer.alloc(0) : Buffer.from(bytes);
    return messages;
  }
}
