import { readFile } from 'node:fs/promises';
import * as tls from 'node:tls';

/** Where Linux distributions keep the certificates that the machine trusts, all in one file. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/**
 * The certificates that curl and browsers of this machine trust, in PEM. Node.js by itself trusts only those it was
 * built with, so not the authority of somebody's own home.
 */
export async function readSystemCertificates(): Promise<string[]> {
  // Node.js 20 cannot read the stores of Windows and macOS.
  if (process.platform !== 'linux') return 'getCACertificates' in tls ? tls.getCACertificates('system') : [];
  for (const file of [process.env['SSL_CERT_FILE'] ?? '', ...BUNDLES]) {
    const bundle = await readFile(file, 'utf8').catch(() => '');
    if (bundle !== '') return [bundle];
  }
  return [];
}

/** Whether a certificate was refused because nobody vouches for it. */
export function isUnknownAuthority(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)|^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)$/.test(
    code,
  );
}
