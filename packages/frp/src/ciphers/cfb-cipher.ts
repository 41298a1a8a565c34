import { type Cipheriv, createCipheriv, createDecipheriv, type Decipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { ControlCipher } from './control-cipher.ts';

const IV_BYTES = 16;
const KEY_BYTES = 16;
const ROUNDS = 64;
const ALGORITHM = 'aes-128-cfb';

/** The cipher of wire v1. Each direction begins with its own IV in clear; nothing is authenticated. */
export class CfbCipher implements ControlCipher {
  readonly #key: Buffer;
  #encryption: Cipheriv | undefined;
  #decryption: Decipheriv | undefined;
  #iv: Buffer = Buffer.alloc(0);

  constructor(token: string) {
    this.#key = pbkdf2Sync(token, 'frp', ROUNDS, KEY_BYTES, 'sha1');
  }

  seal(plain: Buffer): Buffer {
    if (this.#encryption !== undefined) return this.#encryption.update(plain);
    const iv = randomBytes(IV_BYTES);
    this.#encryption = createCipheriv(ALGORITHM, this.#key, iv);
    return Buffer.concat([iv, this.#encryption.update(plain)]);
  }

  open(sealed: Buffer): Buffer {
    if (this.#decryption !== undefined) return this.#decryption.update(sealed);
    this.#iv = Buffer.concat([this.#iv, sealed]);
    if (this.#iv.length < IV_BYTES) return Buffer.alloc(0);
    this.#decryption = createDecipheriv(ALGORITHM, this.#key, this.#iv.subarray(0, IV_BYTES));
    const plain = this.#decryption.update(this.#iv.subarray(IV_BYTES));
    this.#iv = Buffer.alloc(0);
    return plain;
  }
}
