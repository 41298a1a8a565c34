import { createHmac, randomInt } from 'node:crypto';
import { formatKey, KEY_HINT_LETTERS, KEY_RANDOM_LETTERS, keyOfNumbers } from '@tongtu/contract';
import { seal, unseal } from '../../db/sealing.ts';
import { deriveKey } from '../../derive-key.ts';

/** A key as its row has it. */
export type StoredSecret = { keyHash: Buffer; keySealed: Buffer; hint: string };

/**
 * Makes, hashes and seals the texts of product keys. Keys are looked up by an HMAC: who has a dump of the database, but not
 * the sealing key, cannot even check a guess.
 */
export class KeySecrets {
  readonly #sealingKey: Buffer;
  readonly #hashKey: Buffer;

  constructor(sealingKey: Buffer) {
    this.#sealingKey = sealingKey;
    this.#hashKey = deriveKey(sealingKey, 'product keys');
  }

  /** A new key: its text in groups, and what its row stores. */
  create(): { text: string; stored: StoredSecret } {
    const letters = keyOfNumbers(Array.from({ length: KEY_RANDOM_LETTERS }, () => randomInt(32)));
    const keyHash = this.hash(letters);
    const keySealed = seal(this.#sealingKey, letters, purposeOf(keyHash));
    return { text: formatKey(letters), stored: { keyHash, keySealed, hint: letters.slice(-KEY_HINT_LETTERS) } };
  }

  hash(letters: string): Buffer {
    return createHmac('sha256', this.#hashKey).update(letters).digest();
  }

  /** The text in groups. */
  open({ keyHash, keySealed }: Pick<StoredSecret, 'keyHash' | 'keySealed'>): string {
    return formatKey(unseal(this.#sealingKey, keySealed, purposeOf(keyHash)));
  }
}

function purposeOf(keyHash: Buffer): string {
  return `product key ${keyHash.toString('hex')}`;
}
