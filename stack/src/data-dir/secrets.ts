import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../operator-error.ts';
import { readOrCreatePrivateFile } from './data-dir.ts';

const Key = z
  .base64url()
  .transform((text) => Buffer.from(text, 'base64url'))
  .refine((key) => key.length === 32);
const Secrets = z.object({ sealingKey: Key, gateKey: Key, relaySecret: z.string().min(32) });
export type Secrets = z.infer<typeof Secrets>;

/** The installation's keys, generated at the first start. A damaged file is never replaced: it opens sealed data. */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const file = path.join(dataDir, 'secrets.json');
  const text = await readOrCreatePrivateFile(file, async () => {
    const random = () => randomBytes(32).toString('base64url');
    return `${JSON.stringify({ sealingKey: random(), gateKey: random(), relaySecret: random() }, null, 2)}\n`;
  });
  try {
    return Secrets.parse(JSON.parse(text));
  } catch (cause) {
    throw new OperatorError(`密钥文件 ${file} 已损坏，请从备份恢复它`, { cause });
  }
}
