import type { KeeperDeps } from './certificate-keeper.ts';

/** Has every certificate that is wanted, until disposed. */
export async function keepCertificates(deps: KeeperDeps): Promise<AsyncDisposable> {
  // Loaded where it is wanted only: the ACME library takes 40 MB and a third of a second, and most installations have no use for it.
  const { CertificateKeeper } = await import('./certificate-keeper.ts');
  return await CertificateKeeper.start(deps);
}
