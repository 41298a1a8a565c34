import { createPublicKey, verify } from 'node:crypto';
import { type UpgradeOffer, upgradeProof } from '@tongtu/tunnel';

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
