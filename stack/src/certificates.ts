import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { readOrCreatePrivateFile, replacePrivateFile } from './data-dir/data-dir.ts';
import { OperatorError } from './operator-error.ts';
import { cannotRead } from './settings/cannot-read.ts';
import type { selfSigned as createSelfSigned } from './self-signed.ts';

export type KeyAndCertificate = { key: string; cert: string };

/** The operator's own certificates: paths of pairs, and a folder of pairs. */
export type CertificateFiles = { pairs: Array<{ cert: string; key: string }>; folder: string | undefined };

const DAY_MS = 86_400_000;
// Agents pin the tunnel key for good, so its certificate must outlive every installation.
const TUNNEL_DAYS = 36_500;
// Browsers refuse server certificates that are valid for longer (CA/Browser Forum SC-031 gave 398 days).
const EDGE_DAYS = 397;
const EDGE_RENEW_BEFORE_DAYS = 30;
const SELF_SIGNED_SUBJECT = 'Tongtu self-signed certificate';
const LOOPBACK = ['127.0.0.1', '::1'];

/** The certificate that agents pin. */
export async function loadTunnelCertificate(dataDir: string): Promise<KeyAndCertificate> {
  const file = path.join(dataDir, 'tls', 'tunnel.pem');
  const pem = await readOrCreatePrivateFile(file, () =>
    selfSigned({ subject: 'tongtu-tunnel', names: ['tongtu-tunnel'], addresses: [], days: TUNNEL_DAYS }),
  );
  return { key: pem, cert: pem };
}

/** The certificate for all names without a better one: localhost, IP addresses and unknown names. */
export async function loadSelfSignedCertificate(
  dataDir: string,
  options: { baseDomain: string; wallClockMs: number },
): Promise<KeyAndCertificate> {
  const file = path.join(dataDir, 'tls', 'edge.pem');
  const names = [...new Set(['localhost', '*.localhost', options.baseDomain, `*.${options.baseDomain}`])];
  const make = () => selfSigned({ subject: SELF_SIGNED_SUBJECT, names, addresses: LOOPBACK, days: EDGE_DAYS });
  let pem = await readOrCreatePrivateFile(file, make);
  if (!isStillGood(pem, names, options.wallClockMs)) {
    pem = await make();
    await replacePrivateFile(file, pem);
  }
  return { key: pem, cert: pem };
}

/** Throws OperatorError at the start when the operator's own certificate cannot be used. */
export async function checkCertificateFiles(files: CertificateFiles): Promise<void> {
  for (const pair of files.pairs) {
    const cert = await readOperatorFile('TLS_CERT_FILE', pair.cert);
    const key = await readOperatorFile('TLS_KEY_FILE', pair.key);
    try {
      if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) continue;
    } catch (cause) {
      throw new OperatorError(
        `TLS_CERT_FILE 指定的证书 ${pair.cert} 或 TLS_KEY_FILE 指定的私钥 ${pair.key} 的格式不正确，应为没有密码的 PEM`,
        { cause },
      );
    }
    throw new OperatorError(`TLS_CERT_FILE 指定的证书 ${pair.cert} 与 TLS_KEY_FILE 指定的私钥 ${pair.key} 不是一对`);
  }
  const { folder } = files;
  if (folder === undefined) return;
  await readdir(folder).catch((cause: unknown) => {
    throw cannotRead('TLS_CERTS_DIR', folder, cause);
  });
}

async function readOperatorFile(variable: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw cannotRead(variable, file, cause);
  }
}

function isStillGood(pem: string, names: string[], wallClockMs: number): boolean {
  const certificate = new X509Certificate(pem);
  const hasTime = Date.parse(certificate.validTo) - wallClockMs > EDGE_RENEW_BEFORE_DAYS * DAY_MS;
  const isNamed = certificate.subject === `CN=${SELF_SIGNED_SUBJECT}`;
  const dnsNames = certificate.subjectAltName?.split(', ').filter((entry) => entry.startsWith('DNS:'));
  return hasTime && isNamed && dnsNames?.join() === names.map((name) => `DNS:${name}`).join();
}

/** Loaded on demand: only a first start and a renewal create certificates, and the library takes a fifth of a second. */
const selfSigned: typeof createSelfSigned = async (parts) => await (await import('./self-signed.ts')).selfSigned(parts);
