import { X509Certificate, createHash, webcrypto } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import 'reflect-metadata'; // @peculiar/x509 needs it loaded first
import * as x509 from '@peculiar/x509';
import { readOrCreatePrivateFile, replacePrivateFile } from './data-dir.ts';
import { OperatorError } from './operator-error.ts';

export type KeyAndCertificate = { key: string; cert: string };

const DAY_MS = 86_400_000;
// Agents pin the tunnel key for good, so its certificate must outlive every installation.
const TUNNEL_DAYS = 36_500;
// Browsers refuse server certificates that are valid for longer (CA/Browser Forum SC-031 gave 398 days).
const EDGE_DAYS = 397;
const EDGE_RENEW_BEFORE_DAYS = 30;

/** The certificate that agents pin. */
export async function loadTunnelCertificate(dataDir: string): Promise<KeyAndCertificate> {
  const file = path.join(dataDir, 'tls', 'tunnel.pem');
  const pem = await readOrCreatePrivateFile(file, () => selfSigned(['tongtu-tunnel'], TUNNEL_DAYS));
  return { key: pem, cert: pem };
}

/** The certificate that browsers see: the operator's own files, else a self-signed one for the base domain. */
export async function loadEdgeCertificate(
  dataDir: string,
  options: { baseDomain: string; files: { cert: string; key: string } | undefined; nowMs: number },
): Promise<KeyAndCertificate> {
  if (options.files) return await readOperatorFiles(options.files);
  const file = path.join(dataDir, 'tls', 'edge.pem');
  const names = [...new Set(['localhost', '*.localhost', options.baseDomain, `*.${options.baseDomain}`])];
  let pem = await readOrCreatePrivateFile(file, () => selfSigned(names, EDGE_DAYS));
  if (!isStillGood(pem, names, options.nowMs)) {
    pem = await selfSigned(names, EDGE_DAYS);
    await replacePrivateFile(file, pem);
  }
  return { key: pem, cert: pem };
}

/** base64url SHA-256 of the certificate's public key (SPKI, DER): what agents compare. */
export function pinOf(certificatePem: string): string {
  const key = new X509Certificate(certificatePem).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64url');
}

async function readOperatorFiles(files: { cert: string; key: string }): Promise<KeyAndCertificate> {
  try {
    return { cert: await readFile(files.cert, 'utf8'), key: await readFile(files.key, 'utf8') };
  } catch (cause) {
    throw new OperatorError(`无法读取 HTTPS 证书：${(cause as NodeJS.ErrnoException).path ?? files.cert}`, { cause });
  }
}

function isStillGood(pem: string, names: string[], nowMs: number): boolean {
  const certificate = new X509Certificate(pem);
  const hasTime = Date.parse(certificate.validTo) - nowMs > EDGE_RENEW_BEFORE_DAYS * DAY_MS;
  return hasTime && certificate.subjectAltName === names.map((name) => `DNS:${name}`).join(', ');
}

/** Key and certificate in one PEM text, so that one file holds a pair that always fits together. */
async function selfSigned(names: string[], days: number): Promise<string> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${names[0]}`,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + (days - 1) * DAY_MS),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value }))),
      new x509.BasicConstraintsExtension(false),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    ],
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const keyLines = key.match(/.{1,64}/g)?.join('\n') ?? '';
  return `-----BEGIN PRIVATE KEY-----\n${keyLines}\n-----END PRIVATE KEY-----\n${certificate.toString('pem')}\n`;
}
