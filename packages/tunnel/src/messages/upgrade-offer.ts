import { z } from 'zod';

/** A newer agent that the server offers, signed by its key, which devices pin. */
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
