import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent } from 'node:https';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { saveLogOnFailure } from './support/artefacts.ts';
import { binary, close, type Frame, FrameDecoder, opcode } from './support/websocket/frames.ts';
import { visitRaw } from './support/websocket/raw-peer.ts';
import { echo, type TappedService, WebSocketStage } from './support/websocket/stage.ts';
import type { TapRecord } from './support/websocket/tap.ts';
import { closingCases } from './websocket-cases/closing.ts';
import { compressionCases } from './websocket-cases/compression.ts';
import { messageCases, type WebSocketCase } from './websocket-cases/messages.ts';
import { textEncodingCases } from './websocket-cases/text-encoding.ts';

/** RSV1 of RFC 7692. */
const COMPRESSED = 4;

/**
 * WebSocket through the whole product, by the cases of the Autobahn test suite (their numbers are those of its sections):
 * 1 framing, 2 pings, 3 reserved bits, 4 opcodes and 5 fragmentation nearly all · 6 UTF-8: the sequences of its tables,
 * whole and in a frame for each byte · 7 closing: all codes and shapes · 9 limits: up to 16 MB in one frame; fragmented
 * messages of up to 2 MB, in four of nine sizes; 1000 messages each of four of six sizes; each from one side · 10 its one
 * case · 12/13 permessage-deflate: three sizes of ten with 20 messages of 1000, all seven sets of parameters.
 * Each is played by a visitor that sends raw frames to a server of `ws`, and by a service that sends them to a client of
 * `ws`. Both sides of the product are tapped: what went in at one has to come out at the other, byte for byte.
 */
let stage: WebSocketStage;
let echoService: TappedService;
let rawService: Awaited<ReturnType<WebSocketStage['serveRaw']>>;

beforeAll(async () => {
  stage = await WebSocketStage.open();
  echoService = await stage.serveEcho('echo', { perMessageDeflate: { threshold: 0 } });
  rawService = await stage.serveRaw('raw');
});

afterAll(() => stage?.[Symbol.asyncDispose]());

beforeEach(() => saveLogOnFailure('websocket-cases', stage.product.child));

const cases = [...messageCases, ...textEncodingCases, ...closingCases];
const sentBy = (side: 'visitor' | 'service') =>
  cases.filter((row) => (row.sentBy ?? side) === side).map((row) => [titleOf(row), row] as const);

describe('a visitor sends to a service of ws', () => {
  test.each(sentBy('visitor'))('%s', async (_title, row) => {
    const { sends, gets } = withClose(row);
    const received = await visitRaw(stage.visitorTap.port, echoService.host, {
      frames: sends,
      chopBytes: row.chopBytes,
    });
    expectFrames(received, gets);
    await expectSameBytes(echoService, { isCutShort: isClose(row.gets.at(-1)) });
  });
});

describe('a service sends to a visitor of ws', () => {
  test.each(sentBy('service'))('%s', async (_title, row) => {
    const { sends, gets } = withClose(row);
    const served = rawService.service.serve({ frames: sends, chopBytes: row.chopBytes });
    const visitor = new WebSocket(`ws://127.0.0.1:${stage.visitorTap.port}/socket`, {
      headers: { host: rawService.host },
      perMessageDeflate: false,
    });
    echo(visitor);
    expectFrames(await served, gets);
    await expectSameBytes(rawService, { isCutShort: isClose(row.gets.at(-1)) });
  });
});

describe('permessage-deflate', () => {
  test.each(compressionCases.map((row) => [`${row.id}: ${row.what}`, row] as const))('%s', async (_title, row) => {
    const url = `ws://127.0.0.1:${stage.visitorTap.port}/socket`;
    const headers = { host: echoService.host };
    const visitor = new WebSocket(url, { headers, perMessageDeflate: { threshold: 0, ...row.offers } });
    const agreed = once(visitor, 'upgrade').then(
      ([answer]: IncomingMessage[]) => answer?.headers['sec-websocket-extensions'],
    );
    expect(await exchange(visitor, row.messages)).toEqual(row.messages);
    expect(await agreed).toBe(row.agreed);
    const { up, down } = await expectSameBytes(echoService, { isCutShort: false });
    for (const bytes of [up, down]) {
      const messages = new FrameDecoder().push(bytes).filter((frame) => !isClose(frame));
      expect(messages.map(({ rsv }) => rsv)).toEqual(row.messages.map(() => COMPRESSED));
    }
  });

  test('a message in fragments is one compressed message, with pings between them', async () => {
    const url = `ws://127.0.0.1:${stage.visitorTap.port}/socket`;
    const visitor = new WebSocket(url, { headers: { host: echoService.host }, perMessageDeflate: { threshold: 0 } });
    await once(visitor, 'open');
    const parts = Array.from({ length: 8 }, (_, at) => `part ${at} `.repeat(500));
    const came = once(visitor, 'message');
    const pongs: string[] = [];
    visitor.on('pong', (payload) => pongs.push(payload.toString()));
    for (const [at, part] of parts.entries()) {
      visitor.send(part, { fin: at === parts.length - 1 });
      visitor.ping(`ping ${at}`);
    }
    expect(String((await came)[0])).toBe(parts.join(''));
    visitor.close(1000);
    await once(visitor, 'close');
    expect(pongs).toEqual(parts.map((_, at) => `ping ${at}`));
    await expectSameBytes(echoService, { isCutShort: false });
  });

  test('a message that cannot be decompressed is passed on unchanged, and the service refuses it', async () => {
    const frames = [binary(Buffer.from('no deflate at all'), { rsv: COMPRESSED })];
    const sending = { frames, extensions: 'permessage-deflate' };
    const received = await visitRaw(stage.visitorTap.port, echoService.host, sending);
    expectFrames(received, [close(1007)]);
    await expectSameBytes(echoService, { isCutShort: true });
  });
});

test('over TLS messages are echoed unchanged', async () => {
  const visitor = new WebSocket(`wss://127.0.0.1:${stage.product.ports.tls}/socket`, {
    headers: { host: echoService.host },
    // Takes the name for the handshake from the Host.
    agent: new Agent({ rejectUnauthorized: false }),
  });
  const messages = [randomBytes(1024 * 1024), Buffer.alloc(0), randomBytes(65_536)];
  expect(await exchange(visitor, messages)).toEqual(messages);
});

/** Sends all messages, resolves with as many received ones, and closes the connection. */
async function exchange(visitor: WebSocket, messages: readonly (string | Buffer)[]): Promise<(string | Buffer)[]> {
  const came: (string | Buffer)[] = [];
  visitor.on('message', (message: Buffer, isBinary) => {
    came.push(isBinary ? message : message.toString());
    if (came.length === messages.length) visitor.close(1000);
  });
  await once(visitor, 'open');
  for (const message of messages) visitor.send(message);
  await once(visitor, 'close');
  return came;
}

function titleOf({ id, what }: WebSocketCase): string {
  return `${id}: ${what}`;
}

function isClose(frame: Frame | undefined): boolean {
  return frame?.opcode === opcode.close;
}

function withClose({ sends, gets }: WebSocketCase): Pick<WebSocketCase, 'sends' | 'gets'> {
  if (isClose(gets.at(-1))) return { sends, gets };
  return { sends: [...sends, close(1000)], gets: [...gets, close(1000)] };
}

/** For a Close only the code is compared: peers choose the reason. */
function expectFrames(actual: readonly Frame[], expected: readonly Frame[]): void {
  expect(actual.map(describeFrame)).toEqual(expected.map(describeFrame));
  for (const [at, frame] of expected.entries()) {
    if (!isClose(frame)) expect(actual[at]?.payload.equals(frame.payload)).toBe(true);
  }
}

function describeFrame(frame: Frame): string {
  const { fin, rsv, opcode: code, payload } = frame;
  const content = isClose(frame)
    ? `code ${payload.length < 2 ? 'none' : payload.readUInt16BE()}`
    : `${payload.length} bytes`;
  return `opcode ${code}, ${content}${fin ? '' : ', not the last'}${rsv === 0 ? '' : `, reserved ${rsv}`}`;
}

/**
 * Expects that the bytes at one side of the product came out at the other. `isCutShort`: one peer closed first and may
 * have left bytes unread.
 */
async function expectSameBytes({ tap }: TappedService, { isCutShort }: { isCutShort: boolean }): Promise<TapRecord> {
  const [visitor, service] = await Promise.all([stage.visitorTap.record(), tap.record()]);
  const pairs = [
    [visitor.up, service.up],
    [service.down, visitor.down],
  ] as const;
  for (const [sent, came] of pairs) {
    expect(came.length).toBeGreaterThan(0);
    const expected = isCutShort ? sent.subarray(0, came.length) : sent;
    expect(came.equals(expected)).toBe(true);
  }
  return service;
}
