import { existsSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RDP_SERVER, type RdpServer, startRdpServer } from '../testing/start-rdp-server.ts';
import { startRawServer } from '../testing/start-raw-server.ts';
import { createTestSession } from '../testing/test-session.ts';
import { ByteReader } from './byte-reader.ts';
import { connectRdp } from './connect-rdp.ts';
import { decodeDer, derLength } from '../encoding/der.ts';
import { openScreen } from './testing/open-screen.ts';
import { cleanPathRequest, connectInitial, connectionRequest } from './testing/rdp-client.ts';

const [TLS, NLA] = [1, 2];
const UNUSED_PORT = 1;

function rdpSession(port: number, given: { hostKey?: string; isOwner?: boolean } = {}) {
  return createTestSession({ kind: 'rdp', port, ...given });
}

/** The fields of the gateway's RDCleanPath answer. */
async function readAnswer(stream: Duplex): Promise<Map<number, Buffer>> {
  const reader = new ByteReader(stream);
  let bytes = await reader.read(4);
  bytes = Buffer.concat([bytes, await reader.read((derLength(bytes) ?? 0) - bytes.length)]);
  const [answer] = decodeDer(bytes);
  return new Map(decodeDer(answer?.content ?? Buffer.alloc(0)).map(({ tag, content }) => [tag - 0xa0, content]));
}

describe.skipIf(!existsSync(RDP_SERVER))('with xrdp (package xrdp)', () => {
  let tls: RdpServer;
  let plain: RdpServer;
  beforeAll(async () => {
    [tls, plain] = await Promise.all([startRdpServer(UNUSED_PORT), startRdpServer(UNUSED_PORT, { security: 'rdp' })]);
  });
  afterAll(async () => {
    await Promise.all([tls, plain].map((server) => server?.[Symbol.asyncDispose]()));
  });

  test('TLS is spoken by the gateway: the answer has the confirm and the certificate, then bytes pass', async () => {
    const session = rdpSession(tls.port);
    await using screen = await openScreen(session, connectRdp);
    screen.stream.write(cleanPathRequest(connectionRequest(TLS)));
    const answer = await readAnswer(screen.stream);
    expect([...answer.keys()]).toEqual([0, 6, 7, 9]);
    await expect.poll(() => screen.messages).toEqual([{ type: 'no_text_input', certainty: 'doubtful' }]);
    expect(decodeDer(answer.get(6) ?? Buffer.alloc(0))[0]?.content.readUInt32LE(15)).toBe(TLS); // what it has chosen
    expect(session.calls.filter((call) => call.startsWith('keep'))).toEqual([
      expect.stringMatching(/^keep SHA256:[A-Za-z0-9+/]{43}$/),
    ]);
    screen.stream.write(connectInitial().subarray(0, 7)); // no RDP message, so the target ends it
    screen.stream.write(Buffer.alloc(3_000));
    screen.stream.resume();
    expect((await screen.closed).code).toBe(4_000);
  });

  test('another certificate than the known one ends the screen before the browser sends a password', async () => {
    await using screen = await openScreen(rdpSession(tls.port, { hostKey: 'SHA256:another' }), connectRdp);
    screen.stream.write(cleanPathRequest(connectionRequest(TLS)));
    screen.stream.resume();
    expect(await screen.closed).toEqual({ code: 4_000, reason: 'host-key-changed' });
  });

  test('a member does not decide which certificate is kept', async () => {
    const session = rdpSession(tls.port, { isOwner: false });
    await using screen = await openScreen(session, connectRdp);
    screen.stream.write(cleanPathRequest(connectionRequest(TLS)));
    await readAnswer(screen.stream);
    expect(session.calls.filter((call) => call.startsWith('keep'))).toEqual([]);
  });

  test('a target without TLS is refused: the password would be readable on the way', async () => {
    await using screen = await openScreen(rdpSession(plain.port), connectRdp);
    screen.stream.write(cleanPathRequest(connectionRequest(TLS)));
    expect([...(await readAnswer(screen.stream)).keys()]).toEqual([0, 1, 6]);
    expect(await screen.closed).toEqual({ code: 4_000, reason: 'protocol' });
  });
});

test.each([
  ['no RDP server', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['a confirm that claims 64 KB', '\x03\x00\xff\xff'],
  ['a confirm that is too short', '\x03\x00\x00\x05\x00'],
])('%s is reported', async (_what, bytes) => {
  await using target = await startRawServer((socket) => socket.write(bytes, 'latin1'));
  await using screen = await openScreen(rdpSession(target.port), connectRdp);
  screen.stream.write(cleanPathRequest(connectionRequest(TLS | NLA)));
  expect(await screen.closed).toEqual({ code: 4_000, reason: 'protocol' });
});

test.each([
  ['is no RDCleanPath', Buffer.from('GET / HTTP/1.1\r\n')],
  ['claims to be of 16 MB', Buffer.from([0x30, 0x83, 0xff, 0xff, 0xff])],
])('a request that %s never reaches the target', async (_what, bytes) => {
  let received = 0;
  await using target = await startRawServer((socket) => socket.on('data', ({ length }) => (received += length)));
  await using screen = await openScreen(rdpSession(target.port), connectRdp);
  screen.stream.write(bytes);
  expect(await screen.closed).toEqual({ code: 4_000, reason: 'protocol' });
  expect(received).toBe(0);
});
