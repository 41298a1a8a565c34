import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import tls from 'node:tls';
import { freePort } from '@tongtu/base/testing/free-port';
import { authorityCertificate } from './authority-certificate.ts';

export type TestAuthority = AsyncDisposable & {
  directoryUrl: string;
  port: number;
  /** The certificate of its HTTPS port, for other processes to trust. */
  certificateFile: string;
};

export type TestAuthorityOptions = {
  /** The port that it connects to for HTTP-01, whatever the name. */
  httpPort: number;
  /** The port of its resolver on this machine. */
  dnsPort: number;
  /** Its own port; 0 means any. */
  port?: number;
  validitySeconds?: number;
};

const START_POLL_MS = 20;

const PEBBLE = findPebble();

/** Pebble is Let's Encrypt's ACME server for tests. Without it the tests that need it are skipped. */
export const hasTestAuthority = PEBBLE !== undefined;
/** Appended to the names of such tests. */
export const skipReason = hasTestAuthority ? '' : ' (skipped: pebble is not installed, apt-get install pebble)';

/** Starts Pebble with no accounts and orders, and makes this process trust it. */
export async function startTestAuthority(options: TestAuthorityOptions): Promise<TestAuthority> {
  if (PEBBLE === undefined) throw new Error('pebble is not installed');
  const dir = await mkdtemp(path.join(tmpdir(), 'tongtu-test-acme-'));
  const port = options.port || (await freePort());
  const files = {
    cert: path.join(dir, 'cert.pem'),
    key: path.join(dir, 'key.pem'),
    config: path.join(dir, 'config.json'),
  };
  await writeFile(files.cert, authorityCertificate.cert);
  await writeFile(files.key, authorityCertificate.key);
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: '',
    certificate: files.cert,
    privateKey: files.key,
    httpPort: options.httpPort,
    tlsPort: 1, // TLS-ALPN-01 is not used
    ...(options.validitySeconds === undefined ? {} : { certificateValidityPeriod: options.validitySeconds }),
  };
  await writeFile(files.config, JSON.stringify({ pebble }));
  tls.setDefaultCACertificates([...tls.rootCertificates, authorityCertificate.cert]);
  const child = spawn(PEBBLE, ['-config', files.config, '-dnsserver', `127.0.0.1:${options.dnsPort}`, '-strict'], {
    // The client gives up after six rejected nonces in a row, which 20 % met once in some 15 000 requests.
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '5', PEBBLE_AUTHZREUSE: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const directoryUrl = `https://127.0.0.1:${port}/dir`;
  await Promise.race([waitUntilAnswering(directoryUrl), ended.then(() => Promise.reject(new Error('pebble ended')))]);
  return {
    directoryUrl,
    port,
    certificateFile: files.cert,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function waitUntilAnswering(url: string): Promise<void> {
  for (;;) {
    const isReady = await fetch(url).then(
      (response) => response.ok,
      () => false, // not yet listening
    );
    if (isReady) return;
    await wait(START_POLL_MS);
  }
}

function findPebble(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, 'pebble')).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // missing or not executable
  }
}
