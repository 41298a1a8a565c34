import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { FakeDnsServer, hasTestAuthority, startTestAuthority, skipReason } from '@tongtu/server/testing/acme';
import { expect, test } from 'vitest';
import { ApiClient } from './support/clients/api-client.ts';
import { pickPorts, startProduct, type Product } from './support/product/product.ts';
import { waitFor } from './support/wait-for.ts';

const BASE_DOMAIN = 'tongtu.example.com';
const OWN_DOMAIN = 'nas.example.net';
const ISSUED_WITHIN_MS = 60_000;

test.skipIf(!hasTestAuthority)(
  `the product gets certificates by itself, shows them without a restart, and keeps them over one${skipReason}`,
  async () => {
    await using dns = await FakeDnsServer.start();
    const ports = await pickPorts();
    await using authority = await startTestAuthority({ httpPort: ports.http, dnsPort: dns.port });
    const env = {
      BASE_DOMAIN,
      ACME: 'on',
      ACME_DIRECTORY_URL: authority.directoryUrl,
      ACME_RESOLVERS: `127.0.0.1:${dns.port}`,
      NODE_EXTRA_CA_CERTS: authority.certificateFile,
    };
    dns.set('A', BASE_DOMAIN, ['127.0.0.1']);
    let dataDir: string;
    let ownCertificate: X509Certificate;
    {
      await using product = await startProduct({ ports, env });
      dataDir = product.dataDir;
      const selfSigned = await certificateFor(product, 'localhost');
      expect(selfSigned.issuer).toBe(selfSigned.subject);
      await whenIssued(product, BASE_DOMAIN);

      const api = new ApiClient(product);
      await api.logIn();
      const { device, welcome } = await api.waitForWelcomeDevice();
      const mapping = await api.createMapping({
        router: device.id,
        kind: 'http',
        custom_domain: OWN_DOMAIN,
        target: welcome.target,
        policy: 'public',
      });
      expect(mapping).toMatchObject({ domain: OWN_DOMAIN, dns: { state: 'waiting' }, certificate: null });
      dns.set('A', OWN_DOMAIN, ['127.0.0.1']);
      ownCertificate = await whenIssued(product, OWN_DOMAIN);
    }

    await using again = await startProduct({ ports, env, dataDir });
    const shown = await waitFor('the restarted product shows its certificate', ISSUED_WITHIN_MS, async () => {
      const certificate = await certificateFor(again, OWN_DOMAIN);
      return certificate.issuer === certificate.subject ? undefined : certificate;
    });
    expect(shown.serialNumber).toBe(ownCertificate.serialNumber);
  },
);

async function whenIssued(product: Product, name: string): Promise<X509Certificate> {
  return await waitFor(`a certificate for ${name}`, ISSUED_WITHIN_MS, async () => {
    const certificate = await certificateFor(product, name);
    return certificate.issuer.includes('Pebble') && certificate.subjectAltName === `DNS:${name}`
      ? certificate
      : undefined;
  });
}

/** The certificate that a visitor gets for that server name. */
async function certificateFor({ ports }: Product, servername: string): Promise<X509Certificate> {
  const socket = connect({ host: '127.0.0.1', port: ports.tls, servername, rejectUnauthorized: false });
  return await new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      socket.destroy();
      if (certificate) resolve(certificate);
      else reject(new Error('no certificate was shown'));
    });
  });
}
