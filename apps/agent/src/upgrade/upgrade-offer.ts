import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';

/** An agent that the server offers, signed by the key that this device has pinned. */
export const UpgradeOffer = z.object({
  version: z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/),
  /** Of the agent's file, hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Ed25519, base64url, of `upgradeProof`. */
  signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/),
});
export type UpgradeOffer = z.infer<typeof UpgradeOffer>;

/** The bytes that the server signs. */
export function upgradeProof({ version, sha256 }: Pick<UpgradeOffer, 'version' | 'sha256'>): Buffer {
  return Buffer.from(`tongtu agent upgrade v1\n${version}\n${sha256}`);
}

/** `upgradeKey`: the raw 32 bytes of an Ed25519 key, base64url. */
export function isSignedBy(upgradeKey: string, offer: UpgradeOffer): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: upgradeKey }, format: 'jwk' });
  return verify(null, upgradeProof(offer), key, Buffer.from(offer.signature, 'base64url'));
}

/** Never an older one: somebody who records an old offer must not bring back its defects. */
export function isNewer(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split('.').map(Number));
  const differing = (left ?? []).findIndex((part, index) => part !== right?.[index]);
  return differing >= 0 && (left?.[differing] ?? 0) > (right?.[differing] ?? 0);
}
