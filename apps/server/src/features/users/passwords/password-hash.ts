import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto';
import { promisify } from 'node:util';

const argon2Async = promisify(argon2);

// OWASP Password Storage Cheat Sheet (2026): Argon2id, 19 MiB, 2 passes, 1 lane.
const current = { memoryKib: 19_456, passes: 2, lanes: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

type Cost = typeof current;

/** Returns the hash as a PHC string. It contains algorithm, cost and salt, so the cost can be raised later. */
export async function hashPassword(password: string, at: Cost = current): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, HASH_BYTES, at);
  const cost = `m=${at.memoryKib},t=${at.passes},p=${at.lanes}`;
  return `$argon2id$v=19$${cost}$${unpadded(salt)}$${unpadded(hash)}`;
}

/** Takes as long for an account without a password, or for none, as for one with a password. */
export async function verifyPassword(password: string, phc: string | null | undefined): Promise<boolean> {
  const parsed = parsePhc(phc ?? '');
  if (!parsed) {
    await derive(password, Buffer.alloc(SALT_BYTES), HASH_BYTES, current);
    return false;
  }
  const hash = await derive(password, parsed.salt, parsed.hash.length, parsed.cost);
  return timingSafeEqual(hash, parsed.hash);
}

function derive(password: string, nonce: Buffer, tagLength: number, cost: Cost): Promise<Buffer> {
  const parameters: Argon2Parameters = {
    message: password.normalize('NFC'), // keyboards compose the same letter differently
    nonce,
    tagLength,
    memory: cost.memoryKib,
    passes: cost.passes,
    parallelism: cost.lanes,
  };
  return argon2Async('argon2id', parameters);
}

function parsePhc(phc: string): { cost: Cost; salt: Buffer; hash: Buffer } | undefined {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc);
  if (!match) return undefined;
  const [, memoryKib, passes, lanes, salt = '', hash = ''] = match;
  return {
    cost: { memoryKib: Number(memoryKib), passes: Number(passes), lanes: Number(lanes) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
