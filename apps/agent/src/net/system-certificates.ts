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
  for (const file of bundles()) {
    const bundle = await readIfPossible(file);
    if (bundle !== '') return [bundle];
  }
  return [];
}

function bundles(): string[] {
  return [process.env['SSL_CERT_FILE'] ?? '', ...BUNDLES];
}

async function readIfPossible(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '');
}

let kept: { changes: string; context: Promise<tls.SecureContext> } | undefined;

/**
 * Trusts what Node.js and this machine trust. Kept, because to read the certificates takes some 20 ms: on Linux until
 * they change, elsewhere until the agent ends.
 */
export async function trustingContext(): Promise<tls.SecureContext> {
  const changes = process.platform === 'linux' ? await lastChanges() : '';
  if (kept?.changes !== changes) kept = { changes, context: createTrustingContext() };
  return await kept.context;
}

/** Differs once one of the bundles has changed. */
async function lastChanges(): Promise<string> {
  const changeOf = async (file: string) => `${file} ${(await stat(file).catch(() => undefined))?.ctimeMs}`;
  return (await Promise.all(bundles().map(changeOf))).join('\n');
}

async function createTrustingContext(): Promise<tls.SecureContext> {
  return tls.createSecureContext({ ca: [...(await nodeCertificates()), ...(await readSystemCertificates())] });
}

async function nodeCertificates(): Promise<readonly string[]> {
  const { rootCertificates } = tls; // read here, because for the types every Node.js has the function below
  if ('getCACertificates' in tls) return tls.getCACertificates('default');
  // Node.js 20 lists only those it was built with.
  return [...rootCertificates, await readIfPossible(process.env['NODE_EXTRA_CA_CERTS'] ?? '')];
}

/** Whether a certificate was refused because nobody vouches for it. */
export function isUnknownAuthority(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)|^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)$/.test(
    code,
  );
}
