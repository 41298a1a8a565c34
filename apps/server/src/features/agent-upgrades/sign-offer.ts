import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { must } from '@tongtu/base';
import { AppError, type AgentUpgradeOffer } from '@tongtu/contract';
import { upgradeProof } from '@tongtu/tunnel';
import { createCachedFile } from '../agent-downloads/index.ts';

/** The public key that agents pin: raw, base64url. */
export function upgradeKeyOf(signingKey: KeyObject): string {
  return must(createPublicKey(signingKey).export({ format: 'jwk' }).x, 'a public key');
}

/** Returns a function that offers the agent that this server hands out. */
export function openOffers(agent: {
  agentFile: string;
  version: string;
  signingKey: KeyObject;
}): () => Promise<AgentUpgradeOffer> {
  const { agentFile, version, signingKey } = agent;
  const read = createCachedFile(agentFile);
  return async () => {
    const file = await read();
    if (file === undefined) throw new AppError('server.unavailable'); // a build replaces it
    return signOffer({ version, sha256: file.sha256 }, signingKey);
  };
}

function signOffer(agent: { version: string; sha256: string }, signingKey: KeyObject): AgentUpgradeOffer {
  return { ...agent, signature: sign(null, upgradeProof(agent), signingKey).toString('base64url') };
}
