import { webcrypto } from 'node:crypto';
import 'reflect-metadata'; // must be loaded before @peculiar/x509
import * as x509 from '@peculiar/x509';

const DAY_MS = 86_400_000;

/** A new key and its certificate in one PEM text, so that one file holds a pair that always fits together. */
export async function selfSigned(parts: {
  subject: string;
  names: string[];
  addresses: string[];
  days: number;
}): Promise<string> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${parts.subject}`,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + (parts.days - 1) * DAY_MS),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.SubjectAlternativeNameExtension([
        ...parts.names.map((value) => ({ type: 'dns' as const, value })),
        ...parts.addresses.map((value) => ({ type: 'ip' as const, value })),
      ]),
      new x509.BasicConstraintsExtension(false),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    ],
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const keyLines = key.match(/.{1,64}/g)?.join('\n') ?? '';
  return `-----BEGIN PRIVATE KEY-----\n${keyLines}\n-----END PRIVATE KEY-----\n${certificate.toString('pem')}\n`;
}
