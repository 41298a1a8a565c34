import 'reflect-metadata'; // must be loaded before @peculiar/x509
import * as x509 from '@peculiar/x509';

const DAY_MS = 86_400_000;

/** A key and a certificate of its own making, as LAN devices have. */
export async function selfSigned(name: string): Promise<{ key: string; certificate: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    signingAlgorithm: algorithm,
    keys,
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
    certificate: certificate.toString('pem'),
  };
}
