import 'reflect-metadata'; // @peculiar/x509 needs it loaded first
import * as x509 from '@peculiar/x509';
import type { KeyAndCert } from '../config/relay-config.ts';

/** Named `CryptoKey` in browsers, and otherwise in Node.js. */
type PrivateKey = Parameters<typeof crypto.subtle.sign>[1];

const DAY_MS = 86_400_000;

export type CertificateParts = {
  names?: string[];
  addresses?: string[];
  subject?: string;
  notBeforeMs?: number;
  notAfterMs?: number;
  /** The issuer; self-signed if absent. */
  authority?: string;
  /** The issuer with its key, of which `authority` is only a name. */
  issuer?: Authority;
  isAuthority?: boolean;
};

/** A certificate authority of tests. */
export type Authority = KeyAndCert & { subject: string; privateKey: PrivateKey };

export async function makeAuthority(subject: string, issuer?: Authority): Promise<Authority> {
  const { pair, privateKey } = await make({ subject, isAuthority: true, ...(issuer && { issuer }) });
  return { ...pair, subject, privateKey };
}

/** A certificate with a key of its own. */
export async function makeCertificate(parts: CertificateParts): Promise<KeyAndCert> {
  return (await make(parts)).pair;
}

async function make(parts: CertificateParts): Promise<{ pair: KeyAndCert; privateKey: PrivateKey }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const names = [
    ...(parts.names ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(parts.addresses ?? []).map((value) => ({ type: 'ip' as const, value })),
  ];
  const subject = `CN=${parts.subject ?? parts.names?.[0] ?? 'test'}`;
  const unrelated = parts.authority === undefined ? keys : await crypto.subtle.generateKey(algorithm, true, ['sign']);
  const issuer = parts.issuer?.subject ?? parts.authority;
  const certificate = await x509.X509CertificateGenerator.create({
    subject,
    issuer: issuer === undefined ? subject : `CN=${issuer}`,
    publicKey: keys.publicKey,
    signingKey: parts.issuer?.privateKey ?? unrelated.privateKey,
    notBefore: new Date(parts.notBeforeMs ?? Date.now() - DAY_MS),
    notAfter: new Date(parts.notAfterMs ?? Date.now() + DAY_MS),
    signingAlgorithm: algorithm,
    extensions: [
      ...(names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)]),
      ...(parts.isAuthority === true ? [new x509.BasicConstraintsExtension(true)] : []),
    ],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const pair = {
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
    cert: `${certificate.toString('pem')}\n`,
  };
  return { pair, privateKey: keys.privateKey };
}
