import { expect, test } from 'vitest';
import { type CertificateParts, makeCertificate } from '../testing/make-certificate.ts';
import { CertificateStore } from './certificate-store.ts';
import { ServedCertificate } from './served-certificate.ts';

const DAY_MS = 86_400_000;
const wallClockMs = Date.now();
const inDays = (days: number) => wallClockMs + days * DAY_MS;

async function certificate(parts: CertificateParts): Promise<ServedCertificate> {
  return new ServedCertificate(await makeCertificate(parts));
}

async function storeWith(...all: CertificateParts[]) {
  const selfSigned = await certificate({ names: ['localhost', '*.localhost'] });
  const store = new CertificateStore(selfSigned, () => wallClockMs);
  const certificates = await Promise.all(all.map(certificate));
  store.replace('files', certificates);
  return { store, selfSigned, certificates };
}

test('a name gets its own certificate before a wildcard', async () => {
  const { store, certificates } = await storeWith({ names: ['*.example.com'] }, { names: ['nas.example.com'] });
  expect(store.contextFor('nas.example.com')).toBe(certificates[1]?.context);
  expect(store.contextFor('NAS.Example.com')).toBe(certificates[1]?.context);
  expect(store.contextFor('other.example.com')).toBe(certificates[0]?.context);
});

test('a wildcard matches exactly one label', async () => {
  const { store, selfSigned } = await storeWith({ names: ['*.example.com'] });
  expect(store.contextFor('example.com')).toBe(selfSigned.context);
  expect(store.contextFor('a.b.example.com')).toBe(selfSigned.context);
});

test('of two certificates for one name the one that expires last is used', async () => {
  const names = ['nas.example.com'];
  const { store, certificates } = await storeWith(
    { names, notAfterMs: inDays(10) },
    { names, notAfterMs: inDays(80) },
    { names, notAfterMs: inDays(40) },
  );
  expect(store.contextFor('nas.example.com')).toBe(certificates[1]?.context);
});

test('an expired or not yet valid certificate comes after every other, but before the self-signed one', async () => {
  const expired = { names: ['nas.example.com'], notBeforeMs: inDays(-90), notAfterMs: inDays(-1) };
  const future = { names: ['nas.example.com'], notBeforeMs: inDays(1), notAfterMs: inDays(90) };
  const { store, certificates } = await storeWith(expired, future, { names: ['*.example.com'] });
  expect(store.contextFor('nas.example.com')).toBe(certificates[2]?.context);

  const alone = await storeWith(expired);
  expect(alone.store.contextFor('nas.example.com')).toBe(alone.certificates[0]?.context);
});

test('a name without a certificate gets the self-signed one, and so does localhost', async () => {
  const { store, selfSigned } = await storeWith({ names: ['nas.example.com'] });
  for (const name of ['localhost', 'nas.localhost', 'nas.example.org', '', '192.0.2.1']) {
    expect(store.contextFor(name)).toBe(selfSigned.context);
  }
});

test('certificates of the server and of files exist side by side, and neither source removes those of the other', async () => {
  const { store, certificates } = await storeWith({ names: ['a.example.com'] });
  const issued = await certificate({ names: ['b.example.com'] });
  store.replace('server', [issued]);
  expect(store.contextFor('a.example.com')).toBe(certificates[0]?.context);
  expect(store.contextFor('b.example.com')).toBe(issued.context);
  store.replace('server', []);
  expect(store.covers('b.example.com')).toBe(false);
  expect(store.covers('a.example.com')).toBe(true);
  expect(store.covers('nas.localhost')).toBe(true);
});

test('a visitor without SNI gets the operator’s certificate for addresses, and a change of it is announced', async () => {
  const { store, selfSigned } = await storeWith({ names: ['example.com'] });
  let changes = 0;
  store.onDefaultChanged = () => changes++;
  expect(store.default).toBe(selfSigned);
  const forAddress = await certificate({ addresses: ['192.0.2.1'] });
  store.replace('files', [forAddress]);
  expect(store.default).toBe(forAddress);
  store.replace('server', [await certificate({ names: ['nas.example.com'] })]);
  expect(changes).toBe(1);
});

test('the names of a certificate are its alternative names, else its subject', async () => {
  const odd = {
    names: ['A.example.com', 'has space', '*.b.example.com'],
    addresses: ['192.0.2.1'],
    subject: 'c.example',
  };
  expect((await certificate(odd)).names).toEqual(['a.example.com', '*.b.example.com']);
  expect((await certificate({ subject: 'old.example.com' })).names).toEqual(['old.example.com']);
});

test('a key that belongs to another certificate is refused at once', async () => {
  const { cert } = await makeCertificate({ names: ['a.example.com'] });
  const { key } = await makeCertificate({ names: ['a.example.com'] });
  expect(() => new ServedCertificate({ cert, key })).toThrow('not that of the certificate');
});
