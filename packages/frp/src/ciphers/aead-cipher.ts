import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { FrpError } from '../frp-error.ts';
import type { CipherSide, ControlCipher } from './control-cipher.ts';

export const AEAD_ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;
const MAX_PLAIN_BYTES = 65_536 + 8;

/** A nonce that counts up with each frame, beside its first value, which all frames of the direction authenticate. */
type Nonce = { first: Buffer; next: Buffer };

/** The cipher of wire v2: one nonce in clear, then frames of a length, the encrypted bytes and their tag. */
export class AeadCipher implements ControlCipher {
  readonly #keys: { out: Buffer; in: Buffer };
  #outNonce: Nonce | undefined;
  #inNonce: Nonce | undefined;
  #pending: Buffer = Buffer.alloc(0);

  /** `transcript`: see `transcriptHash`. */
  constructor(token: string, transcript: Buffer, side: CipherSide) {
    const toServer = deriveKey(token, transcript, 'client-to-server');
    const toClient = deriveKey(token, transcript, 'server-to-client');
    this.#keys = side === 'server' ? { in: toServer, out: toClient } : { in: toClient, out: toServer };
  }

  seal(plain: Buffer): Buffer {
    const parts: Buffer[] = [];
    if (this.#outNonce === undefined) {
      this.#outNonce = nonceFrom(randomBytes(NONCE_BYTES));
      parts.push(this.#outNonce.first);
    }
    const length = Buffer.allocUnsafe(LENGTH_BYTES);
    length.writeUInt32BE(plain.length + TAG_BYTES);
    const cipher = createCipheriv(AEAD_ALGORITHM, this.#keys.out, this.#outNonce.next);
    cipher.setAAD(Buffer.concat([this.#outNonce.first, length]));
    parts.push(length, cipher.update(plain), cipher.final(), cipher.getAuthTag());
    increment(this.#outNonce.next);
    return Buffer.concat(parts);
  }

  open(sealed: Buffer): Buffer {
    let bytes: Buffer = Buffer.concat([this.#pending, sealed]);
    if (this.#inNonce === undefined && bytes.length >= NONCE_BYTES) {
      this.#inNonce = nonceFrom(bytes.subarray(0, NONCE_BYTES));
      bytes = bytes.subarray(NONCE_BYTES);
    }
    const plain: Buffer[] = [];
    while (this.#inNonce !== undefined && bytes.length >= LENGTH_BYTES) {
      const length = bytes.readUInt32BE(0);
      if (length < TAG_BYTES || length > MAX_PLAIN_BYTES + TAG_BYTES) throw new FrpError(`sealed frame of ${length}`);
      const end = LENGTH_BYTES + length;
      if (bytes.length < end) break;
      plain.push(this.#openFrame(this.#inNonce, bytes.subarray(0, end)));
      bytes = bytes.subarray(end);
    }
    this.#pending = Buffer.from(bytes);
    return Buffer.concat(plain);
  }

  #openFrame(nonce: Nonce, frame: Buffer): Buffer {
    const tagAt = frame.length - TAG_BYTES;
    const cipher = createDecipheriv(AEAD_ALGORITHM, this.#keys.in, nonce.next);
    cipher.setAAD(Buffer.concat([nonce.first, frame.subarray(0, LENGTH_BYTES)]));
    cipher.setAuthTag(frame.subarray(tagAt));
    increment(nonce.next);
    try {
      return Buffer.concat([cipher.update(frame.subarray(LENGTH_BYTES, tagAt)), cipher.final()]);
    } catch (error) {
      throw new FrpError('a sealed frame is not authentic', { cause: error });
    }
  }
}

function nonceFrom(bytes: Buffer): Nonce {
  return { first: Buffer.from(bytes), next: Buffer.from(bytes) };
}

/** Big-endian, with a carry. */
function increment(nonce: Buffer): void {
  for (let at = nonce.length - 1; at >= 0; at--) {
    const value = ((nonce[at] ?? 0) + 1) % 256;
    nonce[at] = value;
    if (value !== 0) return;
  }
}

function deriveKey(token: string, transcript: Buffer, direction: string): Buffer {
  const info = `frp wire v2 control aead ${AEAD_ALGORITHM} ${direction}`;
  return Buffer.from(hkdfSync('sha256', token, transcript, info, KEY_BYTES));
}
