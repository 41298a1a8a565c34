import { CfbCipher } from '../ciphers/cfb-cipher.ts';
import { SnappyStream } from './snappy-stream.ts';

export type WorkCodecOptions = {
  token: string;
  /** `use_encryption` of the proxy. */
  isEncrypted: boolean;
  /** `use_compression` of the proxy. */
  isCompressed: boolean;
};

/** Plain bytes, and how many of those that came they were made of. */
export type DecodedWork = { plain: Buffer; bytes: number };

/**
 * What `useEncryption` and `useCompression` make of a work connection's bytes behind StartWorkConn, in both wire versions:
 * compressed first, then encrypted by the cipher of wire v1.
 */
export class WorkCodec {
  readonly #cipher: CfbCipher | undefined;
  readonly #snappy: SnappyStream | undefined;
  #clear: Buffer[] = [];
  /** Those of the cipher's IV count as used with the first that follow. */
  #extraBytes = 0;

  constructor({ token, isEncrypted, isCompressed }: WorkCodecOptions) {
    this.#cipher = isEncrypted ? new CfbCipher(token) : undefined;
    this.#snappy = isCompressed ? new SnappyStream() : undefined;
  }

  /** What is sent for these bytes. */
  encode(plain: Buffer): Buffer {
    const packed = this.#snappy?.encode(plain) ?? plain;
    return this.#cipher?.seal(packed) ?? packed;
  }

  /** Takes bytes that have come, cut anywhere. */
  push(chunk: Buffer): void {
    const clear = this.#cipher?.open(chunk) ?? chunk;
    this.#extraBytes += chunk.length - clear.length;
    if (clear.length === 0) return;
    if (this.#snappy === undefined) this.#clear.push(clear);
    else this.#snappy.push(clear);
  }

  /** The next plain bytes, at most 64 KiB of compressed ones; undefined until more have come. Throws FrpError. */
  next(): DecodedWork | undefined {
    const decoded = this.#snappy === undefined ? this.#nextClear() : this.#snappy.next();
    if (decoded === undefined) return undefined;
    const bytes = decoded.bytes + this.#extraBytes;
    this.#extraBytes = 0;
    return { plain: decoded.plain, bytes };
  }

  #nextClear(): DecodedWork | undefined {
    const plain = this.#clear.shift();
    return plain && { plain, bytes: plain.length };
  }
}
