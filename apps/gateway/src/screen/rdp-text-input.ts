import { Transform, type TransformCallback } from 'node:stream';

/** The Input Capability Set (MS-RDPBCGR 2.2.7.1.6): type 13, 88 bytes, then flags. */
const INPUT_CAPABILITIES = Buffer.of(13, 0, 88, 0);
const INPUT_FLAG_UNICODE = 0x0010;
const HEAD_BYTES = INPUT_CAPABILITIES.length + 2;
/** The target says it right after the login. */
const MAX_SEARCHED_BYTES = 256 * 1024;

/** Passes on what the target sends, and notices whether it takes text beside keys: it is in its Demand Active PDU. */
export class RdpTextInput extends Transform {
  readonly #onKeysOnly: () => void;
  #tail: Buffer = Buffer.alloc(0);
  #searchedBytes = 0;

  constructor(onKeysOnly: () => void) {
    super();
    this.#onKeysOnly = onKeysOnly;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    if (this.#searchedBytes < MAX_SEARCHED_BYTES) this.#search(chunk);
    callback(null, chunk);
  }

  #search(chunk: Buffer): void {
    this.#searchedBytes += chunk.length;
    const bytes = Buffer.concat([this.#tail, chunk]);
    const at = bytes.indexOf(INPUT_CAPABILITIES);
    if (at === -1 || at + HEAD_BYTES > bytes.length) {
      this.#tail = bytes.subarray(-(HEAD_BYTES - 1));
      return;
    }
    this.#searchedBytes = MAX_SEARCHED_BYTES;
    this.#tail = Buffer.alloc(0);
    const flags = bytes.readUInt16LE(at + INPUT_CAPABILITIES.length);
    if ((flags & INPUT_FLAG_UNICODE) === 0) this.#onKeysOnly();
  }
}
