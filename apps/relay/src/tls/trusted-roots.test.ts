import { expect, test } from 'vitest';
import { makeAuthority, makeCertificate } from '../testing/make-certificate.ts';
import { TrustedRoots } from './trusted-roots.ts';

const HOUR_MS = 3_600_000;
const root = await makeAuthority('Root');
const issuer = await makeAuthority('Issuer', root);
const leaf = await makeCertificate({ names: ['example.com'], issuer, notAfterMs: Date.now() + HOUR_MS });
const roots = new TrustedRoots([() => [], () => [root.cert]]);

test('a chain to a root is trusted as long as all of it lasts', async () => {
  expect(roots.trustedUntilMs(leaf.cert + issuer.cert)).toBeCloseTo(Date.now() + HOUR_MS, -5);
  // It outlives its issuer, which lasts a day.
  const long = await makeCertificate({ names: ['example.com'], issuer, notAfterMs: Date.now() + 100 * 24 * HOUR_MS });
  expect(roots.trustedUntilMs(long.cert + issuer.cert)).toBeCloseTo(Date.now() + 24 * HOUR_MS, -5);
});

test('other certificates between and after those of the chain do not matter', async () => {
  const other = await makeAuthority('Other');
  expect(roots.trustedUntilMs(leaf.cert + other.cert + root.cert + issuer.cert)).toBeGreaterThan(Date.now());
});

test.each([
  ['its issuer is missing', async () => Promise.resolve(leaf.cert)],
  ['it is self-signed', async () => (await makeCertificate({ names: ['example.com'] })).cert],
  [
    'its root is unknown',
    async () => (await makeCertificate({ names: ['a'], issuer: await makeAuthority('Own') })).cert,
  ],
  [
    'only the name of its issuer is known',
    async () => (await makeCertificate({ names: ['a'], authority: 'Root' })).cert,
  ],
  [
    'its issuer is no authority',
    async () => {
      const site = await makeCertificate({ names: ['site'], issuer });
      const key = { ...(await makeAuthority('site', issuer)), cert: site.cert };
      return (await makeCertificate({ names: ['a'], issuer: key })).cert + site.cert + issuer.cert;
    },
  ],
])('a certificate is not trusted: %s', async (_why, chain) => {
  expect(roots.trustedUntilMs(await chain())).toBe(0);
});
