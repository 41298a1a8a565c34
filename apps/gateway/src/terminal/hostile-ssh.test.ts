import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { freePort } from '@tongtu/base/testing/free-port';
import type { Connection, ServerChannel } from 'ssh2';
import { expect, test } from 'vitest';
import { startRawServer } from '../testing/start-raw-server.ts';
import { startSshServer } from '../testing/start-ssh-server.ts';
import { createTestSession } from '../testing/test-session.ts';
import { openTerminal } from './testing/open-terminal.ts';

const options = { username: 'root' };

async function failureOf(onConnection: (socket: Socket) => void): Promise<string> {
  await using server = await startRawServer(onConnection);
  const session = createTestSession({ port: server.port, options });
  await using terminal = await openTerminal(session, { answerTimeoutMs: 300 });
  terminal.start();
  const { reason } = await terminal.next('failed');
  expect(session.streams.map((stream) => stream.destroyed)).toEqual([true]);
  return reason;
}

test('a target that is no SSH server is recognized', async () => {
  expect(await failureOf((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))).toBe('protocol');
  expect(await failureOf((socket) => socket.write(`SSH-2.0-x\r\n${'\0'.repeat(40_000)}`))).toBe('protocol');
  expect(await failureOf((socket) => socket.write('x'.repeat(10_000)))).toBe('protocol');
});

test('a target that hangs up without a word is lost', async () => {
  expect(await failureOf((socket) => socket.end())).toBe('lost');
  expect(await failureOf((socket) => socket.once('data', () => socket.resetAndDestroy()))).toBe('lost');
});

test('a target that does not answer has timed out', async () => {
  expect(await failureOf(() => {})).toBe('timed-out');
  expect(await failureOf((socket) => socket.write('SSH-2.0-x\r\n'))).toBe('timed-out');
});

test('a target that does not answer the login, or opens no shell, has timed out', async () => {
  const onLogin = (): void => {};
  for (const target of [{ onLogin }, { hasNoShell: true }]) {
    await using server = await startSshServer(target);
    const session = createTestSession({ port: server.port, options, hostKey: server.fingerprint });
    await using terminal = await openTerminal(session, { answerTimeoutMs: 1_000 });
    terminal.start();
    expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'timed-out' });
    expect(session.streams.map((stream) => stream.destroyed)).toEqual([true]);
  }
});

test('the reason why there is no connection is passed on', async () => {
  await using terminal = await openTerminal(createTestSession({ port: await freePort(), options }));
  terminal.start();
  expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'refused' });
});

test('a target gets neither the agent nor the screen, and asks for them in vain', async () => {
  const requests: string[] = [];
  const refusal = Promise.withResolvers<Error | undefined>();
  await using server = await startSshServer({
    onRequest: (request) => requests.push(request),
    onShell: (_channel, connection) => connection.x11('127.0.0.1', 6000, (error) => refusal.resolve(error)),
  });
  await using terminal = await openTerminal(
    createTestSession({ port: server.port, options, hostKey: server.fingerprint }),
  );
  terminal.start();
  await terminal.next('connected');
  expect(await refusal.promise).toBeInstanceOf(Error);
  expect(requests).toEqual([]);
});

test('a target that ignores the window of its channel does not fill the memory', async () => {
  await using server = await startSshServer({ onShell: (channel) => flood(channel) });
  const session = createTestSession({ port: server.port, options, hostKey: server.fingerprint });
  await using terminal = await openTerminal(session);
  terminal.isDrawing = false;
  terminal.start();
  await terminal.next('connected');
  await expect.poll(() => session.streams[0]?.isPaused()).toBe(true);
  expect(terminal.receivedBytes).toBeLessThan(800_000);
  expect(session.streams[0]?.readableLength).toBeLessThan(200_000);
  terminal.isDrawing = true;
  terminal.send({ type: 'drawn', bytes: terminal.receivedBytes });
  await terminal.until(() => terminal.receivedBytes === 8_000_000);
});

function flood(channel: ServerChannel): void {
  const { outgoing } = channel as unknown as { outgoing: { window: number } };
  outgoing.window = Number.MAX_SAFE_INTEGER;
  channel.write(Buffer.alloc(8_000_000, 'x'));
}

/** With its keys, which ssh2 then wants to be proven. */
const NEW_KEYS = 'hostkeys-00@openssh.com';
/** ssh2 asks no other software. */
const ident = 'OpenSSH_9.9';

test('a target that lets us ask it without end is cut', async () => {
  await using server = await startSshServer({
    ident,
    onShell: (_channel, connection) => sendRequests(connection, NEW_KEYS, 1_000),
  });
  await using terminal = await openTerminal(
    createTestSession({ port: server.port, options, hostKey: server.fingerprint }),
  );
  terminal.start();
  await terminal.next('connected');
  expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'protocol' });
});

test('a target that does not read what we send is cut', async () => {
  const shell = Promise.withResolvers<Connection>();
  await using server = await startSshServer({ ident, onShell: (_channel, connection) => shell.resolve(connection) });
  const session = createTestSession({ port: server.port, options, hostKey: server.fingerprint });
  await using terminal = await openTerminal(session);
  terminal.start();
  await terminal.next('connected');
  session.streams[0]?.cork();
  const hugeKey = Buffer.concat(['ssh-rsa', '\x03', 'x'.repeat(30_000)].map(asString));
  sendRequests(await shell.promise, NEW_KEYS, 90, asString(hugeKey));
  expect(await terminal.next('failed')).toEqual({ type: 'failed', reason: 'protocol' });
});

/** RFC 4251, section 5. */
function asString(content: string | Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, Buffer.from(content)]);
}

type Protocol = {
  _packetRW: { write: { allocStart: number; alloc(bytes: number): Buffer; finalize(packet: Buffer): Buffer } };
};
const { sendPacket } = createRequire(import.meta.url)('ssh2/lib/protocol/utils.js') as {
  sendPacket: (protocol: Protocol, packet: Buffer) => void;
};

/** Global requests (RFC 4254, section 4). */
function sendRequests(connection: Connection, name: string, count: number, content: Buffer = Buffer.alloc(0)): void {
  const { _protocol: protocol } = connection as unknown as { _protocol: Protocol };
  const { write } = protocol._packetRW;
  const wantsReply = Buffer.from([1]);
  const request = Buffer.concat([Buffer.from([80]), asString(name), wantsReply, content]);
  for (let sent = 0; sent < count; sent += 1) {
    const packet = write.alloc(request.length);
    request.copy(packet, write.allocStart);
    sendPacket(protocol, write.finalize(packet));
  }
}
