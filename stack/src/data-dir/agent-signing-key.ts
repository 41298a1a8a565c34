import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import path from 'node:path';
import { OperatorError } from '../operator-error.ts';
import { readOrCreatePrivateFile } from './data-dir.ts';

/** The Ed25519 key that signs agents. Devices pin it, so a damaged file is never replaced. */
export async function loadAgentSigningKey(dataDir: string): Promise<KeyObject> {
  const file = path.join(dataDir, 'agent-signing-key.pem');
  const pem = await readOrCreatePrivateFile(file, async () =>
    generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  );
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new OperatorError(`密钥文件 ${file} 已损坏，请从备份恢复它`, { cause });
  }
}
