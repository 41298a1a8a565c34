import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';

const read = (env: NodeJS.ProcessEnv) => readConfig(env, []);

test('by default there is no redirect to https, and HSTS where the certificate allows it', () => {
  expect(read({})).toMatchObject({
    certificateFiles: { pairs: [], folder: undefined },
    web: { redirectsToHttps: false, hstsSeconds: 'auto', hstsScope: 'relay', publicTlsPort: undefined },
  });
});

test('a certificate without its key is refused, and so is a key without its certificate', () => {
  expect(() => read({ TLS_CERT_FILE: '/c.pem' })).toThrow('必须同时设置');
  expect(() => read({ TLS_KEY_FILE: '/k.pem' })).toThrow('必须同时设置');
});

test('paths of certificates are made absolute', () => {
  const { certificateFiles } = read({ TLS_CERT_FILE: 'c.pem', TLS_KEY_FILE: 'k.pem', TLS_CERTS_DIR: 'certs' });
  expect(certificateFiles).toEqual({
    pairs: [{ cert: path.resolve('c.pem'), key: path.resolve('k.pem') }],
    folder: path.resolve('certs'),
  });
});

test.each([
  [{}, undefined],
  [{ PUBLIC_URL: 'http://example.com:8080' }, undefined],
  [{ PUBLIC_URL: 'https://example.com' }, 443],
  [{ PUBLIC_URL: 'https://example.com:9443/', TLS_PORT: '443' }, 9443],
])('the port for https comes from the public URL: %j', (env, publicTlsPort) => {
  expect(read(env).web.publicTlsPort).toBe(publicTlsPort);
});

test('HSTS is refused where it would lead browsers to a port without https', () => {
  expect(() => read({ HSTS_SECONDS: '600' })).toThrow('443');
  expect(() => read({ HSTS_SECONDS: '600', TLS_PORT: '443', PUBLIC_URL: 'https://example.com:8443' })).toThrow('443');
  expect(read({ HSTS_SECONDS: '600', TLS_PORT: '443' }).web.hstsSeconds).toBe(600);
  expect(read({ HSTS_SECONDS: '0' }).web.hstsSeconds).toBe(0);
  const behindForwarding = { HSTS_SECONDS: '600', HSTS_SCOPE: 'all', PUBLIC_URL: 'https://example.com' };
  expect(read(behindForwarding).web).toMatchObject({ hstsSeconds: 600, hstsScope: 'all' });
});

test('wrong values of the other settings are named', () => {
  const attempt = () => read({ HSTS_SECONDS: '-1', HTTPS_REDIRECT: 'yes', HSTS_SCOPE: 'some' });
  expect(attempt).toThrow(/HTTPS_REDIRECT[^]*HSTS_SECONDS[^]*HSTS_SCOPE/);
});
