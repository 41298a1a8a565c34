import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import type { SecureVersion } from 'node:tls';
import type { EdgeCertificate, EdgeState } from '@tongtu/contract';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { inRecords, realClientHello } from '../testing/clients/client-hello-bytes.ts';
import { makeCertificate } from '../testing/make-certificate.ts';
import { openRawClient } from '../testing/clients/raw-client.ts';
import {
  createAgentKey,
  startLanService,
  startTestRelay,
  testDevice,
  type TestRelay,
} from '../testing/start-test-relay.ts';
import { shownName, tlsVisit, untilShown } from '../testing/clients/tls-visit.ts';

const silent = pino({ level: 'silent' });

let lastId = 0;

async function issue(subject: string, names: string[]): Promise<EdgeCertificate> {
  return { id: ++lastId, names, ...(await makeCertificate({ subject, names })) };
}

/** Sends the relay its edge state, as after a reconnection, and waits until it is applied. */
async function sendEdge(
  { server, relay }: TestRelay,
  edge: { certificates?: EdgeCertificate[] } & Partial<EdgeState>,
): Promise<void> {
  const { certificates = [], challenges = [], ticketKeys = randomBytes(48).toString('base64url') } = edge;
  server.send({ type: 'edge', edge: { challenges, ticketKeys } });
  for (const certificate of certificates) server.send({ type: 'certificates', certificates: [certificate] });
  server.send({ type: 'certificates_kept', ids: certificates.map(({ id }) => id) });
  const marker = randomBytes(4).toString('hex');
  server.send({ type: 'certificates', certificates: [await issue(marker, ['marker.example'])] });
  await untilShown(relay.tlsPort, 'marker.example', marker);
}

/** The first messages of a connection are read by the relay itself only where some device ends its TLS. */
const readers = [
  ['the relay reads it first', true],
  ['no device ends its TLS', false],
] as const;

async function startReading(limits: Parameters<typeof startTestRelay>[0], isReadFirst: boolean): Promise<TestRelay> {
  const t = await startTestRelay(limits);
  const key = createAgentKey();
  const route = { kind: 'https', tlsPassthrough: isReadFirst } as const;
  await t.connectDevice(testDevice(key, { 'home.example': 9 }, route), key);
  return t;
}

test('a certificate from the server is used for its names, and for no others', async () => {
  await using t = await startTestRelay();
  const [a, b] = [await issue('A', ['a.example']), await issue('B', ['*.b.example'])];
  await sendEdge(t, { certificates: [a, b] });
  expect(await shownName(t.relay.tlsPort, 'a.example')).toBe('A');
  expect(await shownName(t.relay.tlsPort, 'nas.b.example')).toBe('B');
  expect(await shownName(t.relay.tlsPort, 'c.example')).toBe('localhost');
  expect(await shownName(t.relay.tlsPort, undefined)).toBe('localhost');

  await sendEdge(t, { certificates: [b] });
  expect(await shownName(t.relay.tlsPort, 'a.example')).toBe('localhost');
});

test('a renewed certificate replaces the one before, and the others stay as they are', async () => {
  await using t = await startTestRelay();
  const [a, b] = [await issue('A', ['a.example']), await issue('B', ['b.example'])];
  await sendEdge(t, { certificates: [a, b] });
  const notAfterMs = Date.now() + 60_000; // it ends before the one that it replaces
  const renewed = await makeCertificate({ subject: 'renewed', names: ['a.example'], notAfterMs });
  t.server.send({ type: 'certificates', certificates: [{ ...a, ...renewed }] });
  await untilShown(t.relay.tlsPort, 'a.example', 'renewed');
  expect(await shownName(t.relay.tlsPort, 'b.example')).toBe('B');
});

test('a certificate that cannot be used is logged once, and the others work', async () => {
  const lines: string[] = [];
  await using t = await startTestRelay({}, pino({ level: 'error' }, { write: (line) => void lines.push(line) }));
  const broken = { id: ++lastId, names: ['broken.example'], cert: 'garbage', key: 'garbage' };
  await sendEdge(t, { certificates: [broken, await issue('A', ['a.example'])] });
  await sendEdge(t, { certificates: [broken, await issue('A', ['a.example'])] });
  expect(await shownName(t.relay.tlsPort, 'a.example')).toBe('A');
  expect(lines.filter((line) => line.includes('broken.example'))).toHaveLength(1);
});

test('certificates from files are used at once and replaced while the relay runs', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tongtu-edge-'));
  const write = async (subject: string) => {
    const { cert, key } = await makeCertificate({ subject, names: ['nas.example'], addresses: ['127.0.0.1'] });
    await writeFile(path.join(folder, 'nas.pem'), cert);
    await writeFile(path.join(folder, 'nas.key'), key);
  };
  await write('first');
  await using t = await startTestRelay({}, silent, { certificateFiles: { pairs: [], folder } });
  expect(await shownName(t.relay.tlsPort, 'nas.example')).toBe('first');
  // It is for addresses, too, so visitors without SNI also get it.
  expect(await shownName(t.relay.tlsPort, undefined)).toBe('first');
  await write('second');
  await untilShown(t.relay.tlsPort, 'nas.example', 'second');
  expect(await shownName(t.relay.tlsPort, undefined)).toBe('second');
});

test.each<SecureVersion>(['TLSv1.2', 'TLSv1.3'])('%s is spoken, and a page comes over it', async (version) => {
  await using t = await startTestRelay();
  using visitor = await tlsVisit(t.relay.tlsPort, 'localhost', { minVersion: version, maxVersion: version });
  expect(visitor.getProtocol()).toBe(version);
  visitor.write('GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [chunk] = (await once(visitor, 'data')) as [Buffer];
  expect(chunk.toString()).toMatch(/^HTTP\/1\.1 200 /);
});

test.each([
  ['TLS 1.1', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }],
  ['CBC suites', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA256' }],
  ['suites without forward secrecy', { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' }],
] as const)('%s are not', async (_what, options) => {
  await using t = await startTestRelay();
  await expect(tlsVisit(t.relay.tlsPort, 'localhost', options)).rejects.toThrow();
});

/** Handshakes, waits for a ticket, and returns it. */
async function sessionFrom(port: number, version: SecureVersion): Promise<Buffer> {
  using visitor = await tlsVisit(port, 'a.example', { minVersion: version, maxVersion: version });
  const ticket = version === 'TLSv1.2' ? visitor.getSession() : undefined;
  if (ticket !== undefined) return ticket;
  const [session] = (await once(visitor, 'session')) as [Buffer];
  return session;
}

async function isResumed(port: number, version: SecureVersion, session: Buffer): Promise<boolean> {
  using visitor = await tlsVisit(port, 'a.example', { minVersion: version, maxVersion: version, session });
  return visitor.isSessionReused();
}

test.each<SecureVersion>(['TLSv1.2', 'TLSv1.3'])(
  'a %s session of one relay is resumed at another and after a restart, until the ticket keys change',
  async (version) => {
    const ticketKeys = randomBytes(48).toString('base64url');
    const certificates = [await issue('A', ['a.example'])];
    await using first = await startTestRelay();
    await using second = await startTestRelay();
    await sendEdge(first, { certificates, ticketKeys });
    await sendEdge(second, { certificates, ticketKeys });
    const session = await sessionFrom(first.relay.tlsPort, version);
    expect(await isResumed(second.relay.tlsPort, version, session)).toBe(true);

    await first[Symbol.asyncDispose]();
    await using restarted = await startTestRelay();
    await sendEdge(restarted, { certificates, ticketKeys });
    expect(await isResumed(restarted.relay.tlsPort, version, session)).toBe(true);

    await sendEdge(restarted, { certificates });
    expect(await isResumed(restarted.relay.tlsPort, version, session)).toBe(false);
  },
);

test('sessions are resumed after the certificate for visitors without SNI was replaced', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tongtu-edge-'));
  await using t = await startTestRelay({}, silent, { certificateFiles: { pairs: [], folder } });
  await sendEdge(t, {});
  const session = await sessionFrom(t.relay.tlsPort, 'TLSv1.3');
  const { cert, key } = await makeCertificate({
    subject: 'by address',
    addresses: ['127.0.0.1'],
    names: ['x.example'],
  });
  await writeFile(path.join(folder, 'x.crt'), cert);
  await writeFile(path.join(folder, 'x.key'), key);
  await untilShown(t.relay.tlsPort, 'x.example', 'by address');
  expect(await shownName(t.relay.tlsPort, undefined)).toBe('by address');
  expect(await isResumed(t.relay.tlsPort, 'TLSv1.3', session)).toBe(true);
});

test.each(readers)('a ClientHello in many records and single bytes is answered: %s', async (_how, isReadFirst) => {
  await using t = await startReading({}, isReadFirst);
  const hello = await realClientHello({ servername: 'localhost' });
  await using visitor = openRawClient(t.relay.tlsPort);
  visitor.socket.setNoDelay(true);
  for (const byte of inRecords(hello.subarray(5), 50)) {
    visitor.socket.write(Buffer.of(byte));
    await new Promise(setImmediate);
  }
  const answer = Buffer.from(await visitor.until(/^[^]{6}/), 'latin1');
  // A ServerHello, in a handshake record.
  expect([answer[0], answer[5]]).toEqual([22, 2]);
});

test.each(readers)('bytes that are no TLS are closed with an alert or without: %s', async (_how, isReadFirst) => {
  await using t = await startReading({}, isReadFirst);
  for (const bytes of ['SSH-2.0-OpenSSH_9.2\r\n', 'GETTING', '\x16\x02', '\x16\x03\x01\x00\x00']) {
    await using visitor = openRawClient(t.relay.tlsPort);
    visitor.send(bytes);
    visitor.socket.end();
    const [type = 'nothing', ...rest] = Buffer.from(await visitor.untilEnd(), 'latin1');
    // An alert is a record of type 21 with two bytes.
    expect(isReadFirst ? ['nothing'] : ['nothing', 21]).toContain(type);
    expect(rest.length).toBeLessThanOrEqual(6);
  }
});

test.each(readers)(
  'a browser that comes without TLS gets a page that leads to https: %s',
  async (_how, isReadFirst) => {
    await using t = await startReading({}, isReadFirst);
    for (const request of [
      'GET /a?b HTTP/1.1\r\nHost: x\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n',
    ]) {
      await using visitor = openRawClient(t.relay.tlsPort);
      visitor.send(request);
      const page = Buffer.from(await visitor.untilEnd(), 'latin1').toString();
      expect(page).toMatch(/^HTTP\/1\.1 400 [^]*\r\nConnection: close\r\n/);
      expect(page).toContain('请用 https 打开');
      const [, script = ''] = /<script>(.*)<\/script>/.exec(page) ?? [];
      expect(page).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
      const opened: string[] = [];
      const location = { protocol: 'http:', href: 'http://x:8443/a?b#c', replace: (url: string) => opened.push(url) };
      runInNewContext(script, { location });
      expect(opened).toEqual(['https://x:8443/a?b#c']);
    }
  },
);

test.each(readers)(
  'an answer without TLS leaves nothing behind once its client has closed: %s',
  async (_how, isReadFirst) => {
    await using t = await startReading({}, isReadFirst);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await using visitor = openRawClient(t.relay.tlsPort);
    visitor.send('GET / HTTP/1.1\r\n\r\n');
    await visitor.untilEnd();
    visitor.socket.destroy();
    while (vi.getTimerCount() > 0) await new Promise((resolve) => setImmediate(resolve));
  },
);

test.each(readers)('one address has a limit of unfinished handshakes: %s', async (_how, isReadFirst) => {
  await using t = await startReading({ maxHandshakesPerVisitorIp: 3 }, isReadFirst);
  const waiting = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const socket = connect(t.relay.tlsPort, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    }),
  );
  await expect(tlsVisit(t.relay.tlsPort, 'localhost')).rejects.toThrow();
  waiting[0]?.destroy();
  let isIn = false;
  while (!isIn) isIn = await tlsVisit(t.relay.tlsPort, 'localhost').then(Boolean, () => false);
  for (const socket of waiting) socket.destroy();
});

test.each(readers)('a visitor that leaves in the middle of its handshake makes room: %s', async (_how, isReadFirst) => {
  await using t = await startReading({ maxHandshakesPerVisitorIp: 1 }, isReadFirst);
  const hello = await realClientHello({ servername: 'localhost' });
  await using visitor = openRawClient(t.relay.tlsPort);
  visitor.socket.write(hello);
  await visitor.until(/^[^]/);
  visitor.socket.destroy();
  await untilShown(t.relay.tlsPort, 'localhost', 'localhost');
});

test('before the routes are known, only names with a certificate are answered', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((_request, response) => response.end('lan'));
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.example': lan.port }), key);
  expect(await shownName(t.relay.tlsPort, 'nas.example')).toBe('localhost');

  t.server.isAway = true;
  const { startRelay } = await import('../start-relay.ts');
  const { testCertificate } = await import('../testing/test-certificate.ts');
  await using waiting = await startRelay(
    {
      relayId: 'waiting',
      listen: { host: '127.0.0.1', httpPort: 0, tlsPort: 0, tunnelPort: 0 },
      tls: { edge: testCertificate, tunnel: testCertificate },
      upstream: { host: '127.0.0.1', port: t.server.port },
      control: { url: `ws://127.0.0.1:${t.server.port}/internal/relay-control/`, secret: 'x' },
      consoleUrl: 'http://localhost:8080',
      isConsoleHost: (host) => host === 'localhost',
    },
    silent,
  );
  await expect(shownName(waiting.tlsPort, 'nas.example')).rejects.toThrow(/unrecognized name/i);
  expect(await shownName(waiting.tlsPort, 'nas.localhost')).toBe('localhost');
});

test.each([
  ['the certificate of the relay', undefined],
  ['a certificate of the server', 'nas.example'],
])('a visitor of TLS 1.2 cannot ask for another handshake on its connection: %s', async (_which, name) => {
  await using t = await startTestRelay();
  await sendEdge(t, { certificates: [await issue('nas', ['nas.example'])] });
  using visitor = await tlsVisit(t.relay.tlsPort, name, { maxVersion: 'TLSv1.2' });
  visitor.resume();
  const outcome = await new Promise((resolve) => {
    visitor.once('error', resolve);
    visitor.renegotiate({ rejectUnauthorized: false }, resolve);
  });
  expect(outcome).toMatchObject({ code: 'ERR_SSL_NO_RENEGOTIATION' });
});
