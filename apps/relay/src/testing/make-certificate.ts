import 'reflect-metadata'; // @peculiar/x509 needs it loaded first
import * as x509 from '@peculiar/x509';
import type { KeyAndCert } from '../config/relay-config.ts';

const DAY_MS = 86_400_000;

export type CertificateParts = {
  names?: string[];
  addresses?: string[];
  subject?: string;
  notBeforeMs?: number;
  notAfterMs?: number;
  /** The issuer; self-signed if absent. */
  authority?: string;
};

/** A certificate with a key of its own. */
export async function makeCertificate(parts: CertificateParts): Promise<KeyAndCert> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const names = [
    ...(parts.names ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(parts.addresses ?? []).map((value) => ({ type: 'ip' as const, value })),
  ];
  const subject = `CN=${parts.subject ?? parts.names?.[0] ?? 'test'}`;
  const signer = parts.authority === undefined ? keys : await crypto.subtle.generateKey(algorithm, true, ['sign']);
  const certificate = await x509.X509CertificateGenerator.create({
    subject,
    issuer: parts.authority === undefined ? subject : `CN=${parts.authority}`,
    publicKey: keys.publicKey,
    signingKey: signer.privateKey,
    notBefore: new Date(parts.notBeforeMs ?? Date.now() - DAY_MS),
    notAfter: new Date(parts.notAfterMs ?? Date.now() + DAY_MS),
    signingAlgorithm: algorithm,
    extensions: names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
    cert: certificate.toString('pem'),
  };
}
