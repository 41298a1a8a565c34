import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as tls from 'node:tls';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { startLanService } from '../testing/lan-service.ts';
import { selfSigned, type TestCertificate } from '../testing/self-signed.ts';
import { makeTemporaryFolder } from '../testing/temporary-folder.ts';
import { readSystemCertificates, trustingContext } from './system-certificates.ts';

afterEach(() => vi.unstubAllEnvs());

/** The module with what Node.js 20 has. */
async function importForNode20(): Promise<typeof import('./system-certificates.ts')> {
  const {
    getCACertificates: _,
    default: __,
    ...older
  } = await vi.importActual<typeof tls & { default: unknown }>('node:tls');
  vi.resetModules(); // test files share them
  vi.doMock('node:tls', () => ({ ...older, default: older }));
  onTestFinished(() => {
    vi.doUnmock('node:tls');
    vi.resetModules();
  });
  return await import('./system-certificates.ts');
}

test.runIf(process.platform === 'linux')(
  'Node.js 20 trusts the machine’s certificates, those of NODE_EXTRA_CA_CERTS and its own',
  async () => {
    const onNode20 = await importForNode20();
    await using folder = await makeTemporaryFolder();
    const [bundled, extra] = [await selfSigned('bundled.lan'), await selfSigned('extra.lan')];
    await writeFile(path.join(folder.path, 'bundle.crt'), bundled.cert);
    await writeFile(path.join(folder.path, 'extra.crt'), extra.cert);
    vi.stubEnv('SSL_CERT_FILE', path.join(folder.path, 'bundle.crt'));
    vi.stubEnv('NODE_EXTRA_CA_CERTS', path.join(folder.path, 'extra.crt'));
    const connect = async (servername: string, certificate: TestCertificate) => {
      await using service = await startLanService(() => {}, { certificate });
      const secureContext = await onNode20.trustingContext();
      const socket = tls.connect({ port: service.port, host: '127.0.0.1', servername, secureContext });
      await once(socket, 'secureConnect').finally(() => socket.destroy());
    };
    await connect('bundled.lan', bundled);
    await connect('extra.lan', extra);
    await expect(connect('other.lan', await selfSigned('other.lan'))).rejects.toThrow('self-signed certificate');
  },
);

test.runIf(process.platform === 'linux')('a bundle that cannot be read is passed over', async () => {
  await using folder = await makeTemporaryFolder();
  vi.stubEnv('SSL_CERT_FILE', path.join(folder.path, 'bundle.crt'));
  const without = await readSystemCertificates();
  await mkdir(path.join(folder.path, 'bundle.crt')); // a folder: it is there, and has a size
  expect(await readSystemCertificates()).toEqual(without);
  await expect(trustingContext()).resolves.toBeDefined();
});

test.runIf(process.platform === 'linux')(
  'the certificates are read once, also for connections that begin together, until they change',
  async () => {
    await using folder = await makeTemporaryFolder();
    const bundle = path.join(folder.path, 'bundle.crt');
    vi.stubEnv('SSL_CERT_FILE', bundle);
    await writeFile(bundle, (await selfSigned('one')).cert);
    const [first, second] = await Promise.all([trustingContext(), trustingContext()]);
    expect(second).toBe(first);
    expect(await trustingContext()).toBe(first);
    await writeFile(bundle, (await selfSigned('two')).cert);
    expect(await trustingContext()).not.toBe(first);
  },
);
