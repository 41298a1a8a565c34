import { encodeText } from '@tongtu/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRawServer } from '../testing/start-raw-server.ts';
import { hasVncServer, startVncServer, type VncServer } from '../testing/start-vnc-server.ts';
import { createTestSession } from '../testing/test-session.ts';
import { ByteReader } from './byte-reader.ts';
import { connectVnc } from './connect-vnc.ts';
import { joinScreen } from './screen-socket.ts';
import { openScreen } from './testing/open-screen.ts';
import { logIn, readDesktop, readSecurityTypes } from './testing/vnc-client.ts';

const [NONE, VNC_AUTHENTICATION] = [1, 2];

function vncSession(port: number, password?: string) {
  return createTestSession({ kind: 'vnc', port, secrets: password === undefined ? {} : { password } });
}

describe.skipIf(!hasVncServer)('with TigerVNC (package tigervnc-standalone-server)', () => {
  let open: VncServer;
  let locked: VncServer;
  beforeAll(async () => {
    [open, locked] = await Promise.all([startVncServer(), startVncServer({ password: 'geheim12' })]);
  });
  afterAll(async () => {
    await Promise.all([open, locked].map((server) => server?.[Symbol.asyncDispose]()));
  });

  test.each([
    ['without a password', () => vncSession(open.port), undefined],
    ['with a password that is stored for a server without one', () => vncSession(open.port, 'unused'), undefined],
    ['with a password that the user types', () => vncSession(locked.port), 'geheim12'],
    ['with a stored password, which the browser does not get', () => vncSession(locked.port, 'geheim12'), undefined],
    ['with a stored password that is longer than VNC knows', () => vncSession(locked.port, 'geheim12345'), undefined],
  ])('the desktop is shown %s', async (_how, sessionOf, typed) => {
    await using screen = await openScreen(sessionOf(), connectVnc);
    const reader = new ByteReader(screen.stream);
    expect(await readSecurityTypes(reader, screen.stream)).toEqual([typed === undefined ? NONE : VNC_AUTHENTICATION]);
    expect(await logIn(reader, screen.stream, typed)).toBe(0);
    const { width, height, pixels } = await readDesktop(reader, screen.stream);
    expect([width, height, pixels.length]).toEqual([800, 600, 1_920_000]);
  });

  test.each([
    ['gbk', '密码密码'],
    ['big5', '密碼密碼'],
    ['utf-8', '密码密码'],
  ] as const)('a stored password is sent in the encoding of the app, %s', async (encoding, password) => {
    const bytes = encodeText(password, encoding) ?? new Uint8Array();
    await using server = await startVncServer({ password: Buffer.from(bytes) });
    const session = createTestSession({ kind: 'vnc', port: server.port, secrets: { password }, options: { encoding } });
    await using screen = await openScreen(session, connectVnc);
    const reader = new ByteReader(screen.stream);
    expect(await readSecurityTypes(reader, screen.stream)).toEqual([NONE]);
    expect(await logIn(reader, screen.stream, undefined)).toBe(0);
  });

  test('RFB 3.7, which has no result for a login without security, works too', async () => {
    await using screen = await openScreen(vncSession(locked.port, 'geheim12'), connectVnc);
    const reader = new ByteReader(screen.stream);
    expect(await readSecurityTypes(reader, screen.stream, '003.007')).toEqual([NONE]);
    screen.stream.write(Buffer.of(NONE));
    expect((await readDesktop(reader, screen.stream)).width).toBe(800);
  });

  test('a wrong stored password ends the screen as a refused login', async () => {
    await using screen = await openScreen(vncSession(locked.port, 'falsch'), connectVnc);
    await readSecurityTypes(new ByteReader(screen.stream), screen.stream).catch(() => undefined);
    expect(await screen.closed).toEqual({ code: 4_000, reason: 'login-failed' });
    expect(screen.messages).toEqual([{ type: 'failed', reason: 'login-failed' }]);
  });

  test('a wrong password of the user is refused by the target itself', async () => {
    await using screen = await openScreen(vncSession(locked.port), connectVnc);
    const reader = new ByteReader(screen.stream);
    await readSecurityTypes(reader, screen.stream);
    expect(await logIn(reader, screen.stream, 'falsch')).toBe(1);
    expect(await screen.closed).toEqual({ code: 4_000, reason: 'closed' });
  });

  test('only keys, pointer and clipboard put the idle end off', async () => {
    const session = vncSession(open.port);
    await using screen = await openScreen(session, connectVnc);
    const reader = new ByteReader(screen.stream);
    await readSecurityTypes(reader, screen.stream);
    await logIn(reader, screen.stream);
    await readDesktop(reader, screen.stream);
    expect(session.calls).toEqual([]);
    screen.stream.write(Buffer.of(4, 1, 0, 0, 0, 0, 0, 0x61));
    await expect.poll(() => session.calls).toEqual(['touch']);
  });
});

const version = Buffer.from('RFB 003.008\n');
const [TLS, VENCRYPT] = [18, 19];

/** Answers what each message of the gateway is, in order. */
async function startScripted(script: readonly (readonly [receives: Buffer, answers: Buffer])[]) {
  return await startRawServer((socket) => {
    let received = Buffer.alloc(0);
    let step = 0;
    socket.write(version);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      for (let next = script[step]; next && received.length >= next[0].length; next = script[step]) {
        expect(received.subarray(0, next[0].length)).toEqual(next[0]);
        received = received.subarray(next[0].length);
        socket.write(next[1]);
        step += 1;
      }
    });
  });
}

test.each([
  ['TLS', [[version, Buffer.of(1, TLS)]]],
  [
    'VeNCrypt with TLS and X.509 subtypes',
    [
      [version, Buffer.of(1, VENCRYPT)],
      [Buffer.of(VENCRYPT), Buffer.of(0, 2)],
      [Buffer.of(0, 2), Buffer.of(0, 2, 0, 0, 1, 2, 0, 0, 1, 4)],
    ],
  ],
  ['RealVNC’s encryption', [[version, Buffer.of(2, 5, 133)]]],
] as const)('a server that offers only %s is reported as that', async (_what, script) => {
  await using target = await startScripted(script);
  for (const password of [undefined, 'geheim12']) {
    await using screen = await openScreen(vncSession(target.port, password), connectVnc);
    screen.stream.write(version);
    screen.stream.resume();
    expect(await screen.closed).toEqual({ code: 4_000, reason: 'vnc-encrypted' });
    expect(screen.messages).toEqual([{ type: 'failed', reason: 'vnc-encrypted' }]);
  }
});

test('of the security types the browser sees those without TLS', async () => {
  await using target = await startScripted([[version, Buffer.of(3, VENCRYPT, TLS, VNC_AUTHENTICATION)]]);
  await using screen = await openScreen(vncSession(target.port), connectVnc);
  expect(await readSecurityTypes(new ByteReader(screen.stream), screen.stream)).toEqual([VNC_AUTHENTICATION]);
});

test('a login by name and password without TLS is the browser’s', async () => {
  const plain = Buffer.of(0, 0, 1, 0);
  await using target = await startScripted([
    [version, Buffer.of(1, VENCRYPT)],
    [Buffer.of(VENCRYPT), Buffer.of(0, 2)],
    [Buffer.of(0, 2), Buffer.concat([Buffer.of(0, 2, 0, 0, 1, 2), plain])],
    [plain, Buffer.from('ready')],
  ]);
  await using screen = await openScreen(vncSession(target.port), connectVnc);
  const reader = new ByteReader(screen.stream);
  expect(await readSecurityTypes(reader, screen.stream)).toEqual([VENCRYPT]);
  screen.stream.write(Buffer.of(VENCRYPT));
  expect(await reader.read(2)).toEqual(Buffer.of(0, 2));
  screen.stream.write(Buffer.of(0, 2));
  expect(await reader.read(6)).toEqual(Buffer.concat([Buffer.of(0, 1), plain]));
  screen.stream.write(plain);
  expect((await reader.read(5)).toString()).toBe('ready');
});

test('an end of the session closes the screen with its reason', async () => {
  await using target = await startRawServer((socket) => socket.write('RFB 003.008\n'));
  const session = vncSession(target.port);
  await using screen = await openScreen(session, connectVnc);
  session.end('right-ended');
  expect(await screen.closed).toEqual({ code: 4_000, reason: 'right-ended' });
  await expect.poll(() => screen.messages).toContainEqual({ type: 'ended', reason: 'right-ended' });
  expect(session.streams[0]?.destroyed).toBe(true);
});

test('the idle warning reaches the page, whose answer puts the end off; other messages close its connection', async () => {
  await using target = await startRawServer((socket) => socket.write('RFB 003.008\n'));
  const session = vncSession(target.port);
  await using screen = await openScreen(session, connectVnc);
  session.warn(60);
  await expect.poll(() => screen.messages).toEqual([{ type: 'idle_warning', seconds: 60 }]);
  screen.say({ type: 'stay' });
  await expect.poll(() => session.calls).toEqual(['touch']);
  screen.say('{"type":');
  screen.say({ type: 'stay' });
  session.warn(30);
  expect(session.calls).toEqual(['touch']);
});

test.each([
  ['is no VNC server', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['offers no security and says why, too long', `RFB 003.008\n\x02\x02\x10${'x'.repeat(20)}`],
])('a target that %s is reported', async (_what, bytes) => {
  await using target = await startRawServer((socket) => socket.end(bytes, 'latin1'));
  await using screen = await openScreen(vncSession(target.port, 'geheim12'), connectVnc);
  screen.stream.write('RFB 003.008\n');
  screen.stream.resume();
  const { code, reason } = await screen.closed;
  expect(code).toBe(4_000);
  expect(['protocol', 'closed']).toContain(reason);
});

test('a target that says nothing is reported after a time', async () => {
  await using target = await startRawServer(() => {});
  await using screen = await openScreen(vncSession(target.port), (session, socket) =>
    joinScreen(session, socket, { begin: () => new Promise(() => {}), isInput: () => false, beginTimeoutMs: 50 }),
  );
  expect(await screen.closed).toEqual({ code: 4_000, reason: 'timed-out' });
});

test('a target that refuses connections is reported', async () => {
  const target = await startRawServer(() => {});
  await target[Symbol.asyncDispose]();
  await using screen = await openScreen(vncSession(target.port), connectVnc);
  expect(await screen.closed).toEqual({ code: 4_000, reason: 'refused' });
});

test('the target waits while the browser does not read', async () => {
  const megabyte = Buffer.alloc(1024 * 1024);
  let sent = 0;
  await using target = await startRawServer((socket) => {
    socket.write('RFB 003.008\n');
    const fill = (): boolean => sent++ < 64 && socket.write(megabyte, fill);
    fill();
  });
  await using screen = await openScreen(vncSession(target.port), connectVnc);
  screen.socket.pause();
  let before = -1;
  const isStill = () => sent === before || ((before = sent), false);
  await expect.poll(isStill, { interval: 200 }).toBe(true);
  expect(sent).toBeLessThan(32);
});
