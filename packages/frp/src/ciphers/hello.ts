/** The greeting of wire v2, in clear, which the keys of its cipher depend on. */
import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { FrpError } from '../frp-error.ts';
import { readJson } from '../wire/frames.ts';
import { AEAD_ALGORITHM } from './aead-cipher.ts';

const RANDOM_BYTES = 32;
const CODEC = 'json';

const names = z.array(z.string().max(64)).max(32).default([]);
const ClientHello = z.object({
  capabilities: z.object({
    message: z.object({ codecs: names }),
    crypto: z.object({ algorithms: names }),
  }),
});

/** The payload of the ServerHello that answers this ClientHello. Throws FrpError where nothing in common is offered. */
export function answerClientHello(payload: Buffer): Buffer {
  const parsed = ClientHello.safeParse(readJson(payload));
  if (!parsed.success) throw new FrpError('ClientHello not understood', { cause: parsed.error });
  const { message, crypto } = parsed.data.capabilities;
  if (!message.codecs.includes(CODEC) || !crypto.algorithms.includes(AEAD_ALGORITHM))
    throw new FrpError('the ClientHello offers no codec or cipher that we know');
  const serverRandom = randomBytes(RANDOM_BYTES).toString('base64');
  const selected = { message: { codec: CODEC }, crypto: { algorithm: AEAD_ALGORITHM, serverRandom } };
  return Buffer.from(JSON.stringify({ selected }));
}

/** Over both payloads as they were sent. */
export function transcriptHash(clientHello: Buffer, serverHello: Buffer): Buffer {
  const hash = createHash('sha256').update('frp wire v2 crypto transcript');
  for (const [label, payload] of [
    ['client hello', clientHello],
    ['server hello', serverHello],
  ] as const) {
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(payload.length));
    hash.update(`\0${label}\0`).update(length).update(payload);
  }
  return hash.digest();
}
