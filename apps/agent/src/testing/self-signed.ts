import { webcrypto, X509Certificate } from 'node:crypto';
import 'reflect-metadata'; // must be loaded before @peculiar/x509
import * as x509 from '@peculiar/x509';
import { certificatePin } from '@tongtu/tunnel';

const DAY_MS = 86_400_000;

export type TestCertificate = { key: string; cert: string; pin: string };

/** A key and a self-signed certificate, as relays and LAN devices have. */
export async function selfSigned(name: string): Promise<TestCertificate> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    signingAlgorithm: algorithm,
    keys,
  });
  const cert = certificate.toString('pem');
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`;
  return { key, cert, pin: certificatePin(new X509Certificate(cert)) };
}
