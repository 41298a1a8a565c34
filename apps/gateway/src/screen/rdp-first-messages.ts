import { Transform, type TransformCallback } from 'node:stream';

const TPKT_VERSION = 3;
const TPKT_HEAD_BYTES = 4;
const DER_SEQUENCE = 0x30;
/** The browser's first messages are small. */
const MAX_HELD_BYTES = 64 * 1024;

/** Of the security protocol that the target chose (MS-RDPBCGR 2.2.1.2.1): TLS without CredSSP. */
export const PROTOCOL_TLS = 1;

/**
 * Mends what IronRDP 0.7.0 sends first. It asks for 16 bit colour, which its own code draws skewed; it is to ask for 24.
 * It never asks for a login with the credentials that it sends, so that xrdp shows a login window. And it offers to have
 * updates compressed once more, which the page would have to undo before it can mend them (`bitmap-updates.ts`). Everything after
 * the Client Info message passes untouched.
 */
export class RdpFirstMessages extends Transform {
  readonly #protocol: number;
  #held: Buffer = Buffer.alloc(0);
  #isDone = false;
  #hasRdpBegun = false;

  constructor(protocol: number) {
    super();
    this.#protocol = protocol;
  }

  /** CredSSP is not over: the browser has sent none of RDP's own messages yet. */
  get isInLogin(): boolean {
    return this.#protocol !== PROTOCOL_TLS && !this.#hasRdpBegun;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    if (this.#isDone) return callback(null, chunk);
    this.#held = Buffer.concat([this.#held, chunk]);
    for (let message = this.#take(); message !== undefined; message = this.#take()) this.push(message);
    // Unknown bytes, or a message that never ends, are the target's to refuse.
    if (this.#held.length > MAX_HELD_BYTES) this.#isDone = true;
    if (this.#isDone) {
      this.push(this.#held);
      this.#held = Buffer.alloc(0);
    }
    callback();
  }

  /** The next whole message, mended; undefined when more bytes are needed or nothing is left to mend. */
  #take(): Buffer | undefined {
    if (this.#isDone || this.#held.length < TPKT_HEAD_BYTES) return undefined;
    // CredSSP's messages come before those of RDP.
    if (this.#held[0] === DER_SEQUENCE) return this.#cut(derMessageLength(this.#held));
    if (this.#held[0] !== TPKT_VERSION) {
      this.#isDone = true;
      return undefined;
    }
    const message = this.#cut(this.#held.readUInt16BE(2));
    if (message === undefined) return undefined;
    this.#hasRdpBegun = true;
    this.#mend(message);
    return message;
  }

  #cut(length: number): Buffer | undefined {
    if (length < TPKT_HEAD_BYTES) this.#isDone = true;
    if (this.#isDone || this.#held.length < length) return undefined;
    const message = Buffer.from(this.#held.subarray(0, length));
    this.#held = this.#held.subarray(length);
    return message;
  }

  #mend(message: Buffer): void {
    if (message[7] === 0x7f) askForTrueColour(message);
    if (message[7] !== 0x64) return;
    // SendDataRequest: X.224 header, then MCS; its length has one or two bytes.
    const at = 13 + ((message[13] ?? 0) & 0x80 ? 2 : 1);
    const isClientInfo = message.length >= at + 12 && (message.readUInt16LE(at) & 0x40) !== 0;
    if (!isClientInfo) return;
    const INFO_AUTOLOGON = 8;
    const BULK_COMPRESSION = 0x1e80; // INFO_COMPRESSION and its types
    const autologon = this.#protocol === PROTOCOL_TLS ? INFO_AUTOLOGON : 0;
    message.writeUInt32LE(((message.readUInt32LE(at + 8) & ~BULK_COMPRESSION) | autologon) >>> 0, at + 8);
    this.#isDone = true;
  }
}

/** In the client core data of MCS Connect Initial: bytes 01 c0, then a length of 132 to 240. */
function askForTrueColour(message: Buffer): void {
  const HIGH_COLOUR_DEPTH_AT = 140;
  for (
    let core = message.indexOf(Buffer.of(0x01, 0xc0));
    core !== -1;
    core = message.indexOf(Buffer.of(0x01, 0xc0), core + 1)
  ) {
    if (core + HIGH_COLOUR_DEPTH_AT + 2 > message.length) return;
    const length = message.readUInt16LE(core + 2);
    if (length < 132 || length > 240) continue;
    message.writeUInt16LE(24, core + HIGH_COLOUR_DEPTH_AT);
    return;
  }
}

function derMessageLength(bytes: Buffer): number {
  const first = bytes[1] ?? 0;
  if (first < 0x80) return 2 + first;
  const count = first - 0x80;
  if (count === 0 || count > 3 || bytes.length < 2 + count) return count === 0 || count > 3 ? 0 : Infinity;
  return 2 + count + bytes.readUIntBE(2, count);
}
