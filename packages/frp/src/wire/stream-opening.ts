import { FrpError } from '../frp-error.ts';
import type { FrpMessage } from '../messages.ts';
import { decodeFrpMessage, decodeV2Frame, v2FrameType, type Wire } from './frames.ts';

/** What every stream of wire v2 begins with. */
export const V2_MAGIC = Buffer.from('FRP\0\x02\r\n', 'latin1');

export type OpenedStream = {
  wire: Wire;
  /** The payload of the ClientHello, as sent; only before a login of wire v2. */
  clientHello: Buffer | undefined;
  /** What the stream is for: Login or NewWorkConn, or anything that frpc should not begin with. */
  message: FrpMessage;
  /** Bytes behind the message. */
  rest: Buffer;
};

/** Reads how a stream of frpc begins, cut anywhere: the wire version and the first message. */
export class StreamOpening {
  #pending: Buffer = Buffer.alloc(0);
  #wire: Wire | undefined;
  #clientHello: Buffer | undefined;

  /** Undefined until the first message is complete. Throws FrpError. */
  push(chunk: Buffer): OpenedStream | undefined {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    this.#wire ??= this.#readWire();
    if (this.#wire === undefined) return undefined;
    if (this.#wire === 'v2') this.#readClientHello();
    const decoded = decodeFrpMessage(this.#wire, this.#pending);
    if (decoded === undefined) return undefined;
    const rest = this.#pending.subarray(decoded.bytes);
    return { wire: this.#wire, clientHello: this.#clientHello, message: decoded.value, rest };
  }

  #readWire(): Wire | undefined {
    const seen = Math.min(this.#pending.length, V2_MAGIC.length);
    if (seen === 0) return undefined;
    // No message of wire v1 has the type F.
    if (this.#pending[0] !== V2_MAGIC[0]) return 'v1';
    if (!this.#pending.subarray(0, seen).equals(V2_MAGIC.subarray(0, seen))) throw new FrpError('not a stream of frp');
    if (seen < V2_MAGIC.length) return undefined;
    this.#pending = this.#pending.subarray(V2_MAGIC.length);
    return 'v2';
  }

  #readClientHello(): void {
    if (this.#clientHello !== undefined) return;
    const frame = decodeV2Frame(this.#pending);
    if (frame?.value.type !== v2FrameType.clientHello) return;
    this.#clientHello = Buffer.from(frame.value.payload);
    this.#pending = this.#pending.subarray(frame.bytes);
  }
}
