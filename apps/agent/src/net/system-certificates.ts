import { readFile, stat } from 'node:fs/promises';
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
  const bundle = await findBundle();
  return bundle === undefined ? [] : [await readFile(bundle.file, 'utf8')];
}

async function findBundle(): Promise<{ file: string; changedAtMs: number } | undefined> {
  for (const file of [process.env['SSL_CERT_FILE'] ?? '', ...BUNDLES]) {
    const found = await stat(file).catch(() => undefined);
    if (found !== undefined && found.size > 0) return { file, changedAtMs: found.mtimeMs };
  }
  return undefined;
}

let kept: { bundle: string; context: tls.SecureContext } | undefined;

/**
 * Trusts what Node.js and this machine trust; undefined with Node.js 20, whose own certificates cannot be listed. Kept
 * until the machine's certificates change, because to read them takes some 20 ms.
 */
export async function trustingContext(): Promise<tls.SecureContext | undefined> {
  if (!('getCACertificates' in tls)) return undefined;
  const bundle = JSON.stringify(process.platform === 'linux' && (await findBundle()));
  if (kept?.bundle !== bundle) {
    const ca = [...tls.getCACertificates('default'), ...(await readSystemCertificates())];
    kept = { bundle, context: tls.createSecureContext({ ca }) };
  }
  return kept.context;
}

/** Whether a certificate was refused because nobody vouches for it. */
export function isUnknownAuthority(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)|^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)$/.test(
    code,
  );
}
