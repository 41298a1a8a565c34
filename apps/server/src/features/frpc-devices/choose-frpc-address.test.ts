import { expect, test } from 'vitest';
import { chooseFrpcAddress, type FrpcPlace } from './choose-frpc-address.ts';

const place = {
  baseDomain: 'example.com',
  port: 7200,
  tlsPort: 443,
  isBehindProxy: false,
  otherHost: 'console.example.org',
};
const withCertificates = async (names: string[], changed: Partial<FrpcPlace> = {}) =>
  await chooseFrpcAddress({ ...place, hasCertificate: async (host) => names.includes(host), ...changed });

test('frpc checks the certificate of its own name, at the port of visitors where that takes frpc', async () => {
  const host = 'frp.example.com';
  expect(await withCertificates([host])).toEqual({ host, port: 443, isCertificateChecked: true });
  expect(await withCertificates([host], { tlsPort: undefined })).toEqual({
    host,
    port: 7200,
    isCertificateChecked: true,
  });
  expect(await withCertificates([host], { port: undefined })).toEqual({ host, port: 443, isCertificateChecked: true });
});

test('behind a proxy frpc does not check a certificate at the port of visitors', async () => {
  const host = 'frp.example.com';
  const behind = { isBehindProxy: true };
  expect(await withCertificates([host], behind)).toEqual({ host, port: 7200, isCertificateChecked: true });
  expect(await withCertificates([host], { ...behind, port: undefined })).toEqual({
    host,
    port: 443,
    isCertificateChecked: false,
  });
});

test('without it frpc checks the certificate of the console or the tunnel, at its own port', async () => {
  const host = place.otherHost;
  expect(await withCertificates([host])).toEqual({ host, port: 7200, isCertificateChecked: true });
  expect(await withCertificates([host], { tlsPort: undefined })).toEqual({
    host,
    port: 7200,
    isCertificateChecked: true,
  });
});

test('without any certificate there is nothing to check', async () => {
  expect(await withCertificates([])).toEqual({ host: place.otherHost, port: 7200, isCertificateChecked: false });
  const alone = { host: 'frp.example.com', port: 443, isCertificateChecked: false };
  expect(await withCertificates([], { port: undefined })).toEqual(alone);
});
