import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { duplexPair } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChunkedBody } from './chunked-body.ts';
import { createBodyReader } from './create-body-reader.ts';
import type { BodyFraming } from './framing.ts';
import { HeadReader } from './head-reader.ts';
import { HttpRefusal } from './http-refusal.ts';
import { parseRequestHead } from './request-head.ts';
import { parseResponseHead } from './response-head.ts';

type Message = { start: string; fields: string[]; body: string };

/** The payload of a body and where it ends; undefined when it is cut short. */
function readBody(framing: BodyFraming, bytes: Buffer, from: number): { body: string; end: number } | undefined {
  const payload: Buffer[] = [];
  const reader = framing.type === 'chunked' ? new ChunkedBody((part) => payload.push(part)) : createBodyReader(framing);
  const end = reader.take(bytes, from);
  if (!reader.isDone && framing.type !== 'until-close') return undefined;
  const body = framing.type === 'chunked' ? Buffer.concat(payload) : bytes.subarray(from, end);
  return { body: body.toString('latin1'), end };
}

/** Every whole request that we would pass on, and how many bytes they are. */
function ourRequests(bytes: Buffer): { messages: Message[]; usedBytes: number } {
  const messages: Message[] = [];
  const reader = new HeadReader();
  let at = 0;
  try {
    while (at < bytes.length) {
      const head = reader.push(bytes, at);
      if (head === undefined) break;
      const request = parseRequestHead(head.text);
      const read = readBody(request.framing, bytes, head.end);
      if (read === undefined) break;
      const fields = request.fields.flatMap(({ name, value }) => [name, value]);
      messages.push({ start: `${request.method} ${request.target} ${request.version}`, fields, body: read.body });
      at = read.end;
      if (!request.wantsKeepAlive) break;
    }
  } catch (error) {
    if (!(error instanceof HttpRefusal)) throw error;
  }
  return { messages, usedBytes: at };
}

/** Every whole request that Node reads from the same bytes. */
async function nodeRequests(bytes: Buffer): Promise<Message[]> {
  const messages: Message[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('error', () => {});
    request.on('end', () => {
      const version = request.httpVersionMajor * 10 + request.httpVersionMinor;
      messages.push({
        start: `${request.method} ${request.url} ${version}`,
        fields: request.rawHeaders,
        body: Buffer.concat(parts).toString('latin1'),
      });
      response.end();
    });
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  const [client, side] = duplexPair();
  server.emit('connection', side);
  client.on('error', () => {});
  client.resume();
  client.end(bytes);
  if (!client.destroyed) await Promise.race([once(client, 'close'), once(client, 'end'), once(side, 'close')]);
  return messages;
}

const methods = fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'get', 'BREW', 'QUERY', 'M-SEARCH', 'G\x00T');
const targets = fc.constantFrom('/', '/a?b=c', '/a%00', '/{x}|"', '*', '/\xe9', '//x', 'x', '/a b', '/#f', '/\x01');
const versions = fc.constantFrom(
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/1.2',
  'HTTP/2.0',
  'http/1.1',
  'HTTP/1.1 ',
);
const ends = fc.constantFrom(
  '\r\n',
  '\r\n',
  '\r\n',
  '\r\n',
  '\r\n',
  '\r\n',
  '\r\n',
  '\n',
  '\r',
  '\r\r\n',
  ' \r\n',
  '\t\r\n',
);
const names = fc.constantFrom(
  'Content-Length',
  'content-length',
  'Transfer-Encoding',
  'transfer-encoding',
  'X-A',
  'Cookie',
  'Connection',
  'Trailer',
  'Content_Length',
  'Content-Length ',
  ' Content-Length',
  'Transfer-Encoding\t',
  'X\x00A',
  '',
  'X-\xe9',
  'Host',
);
const values = fc.constantFrom(
  '0',
  '1',
  '5',
  '05',
  '+5',
  '-5',
  '5 ',
  '5, 5',
  '0x5',
  '5\v',
  '1e1',
  '99999999999999999999',
  'chunked',
  'Chunked',
  'chunked ',
  ' chunked',
  'chunked\t',
  'xchunked',
  'chunked, chunked',
  'gzip, chunked',
  'identity',
  'chunked\x00',
  '"chunked"',
  'close',
  'keep-alive',
  'a\xe9b',
  'a\x01b',
  'a\rb',
  'a\nb',
  'a\n b',
  '',
  '\t x \t',
  'a=1; b=2',
);
const separators = fc.constantFrom(':', ': ', ': ', ': ', ':\t', ' : ', ';', '');
const bodies = fc.constantFrom(
  '',
  'hello',
  'h',
  '5\r\nhello\r\n0\r\n\r\n',
  '5;a=b\r\nhello\r\n0\r\n\r\n',
  '5 \r\nhello\r\n0\r\n\r\n',
  '05\r\nhello\r\n0\r\n\r\n',
  '5\nhello\n0\n\n',
  '0\r\n\r\n',
  '0\r\nX-T: 1\r\n\r\n',
  '0\r\nContent-Length: 5\r\n\r\nhello',
  '5\r\nhello0\r\n\r\n',
  '+5\r\nhello\r\n0\r\n\r\n',
  '5\r\nhello\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n',
  '5;a="\x00"\r\nhello\r\n0\r\n\r\n',
  '5;\r\nhello\r\n0\r\n\r\n',
  '0\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n',
  '\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /next HTTP/1.1\r\nHost: a\r\n\r\n',
);
const field = fc.tuple(names, separators, values, ends).map((parts) => parts.join(''));
/** Mostly sound, so that what is wrong with the rest is what decides. */
const soundField = fc.constantFrom(
  'X-A: 1\r\n',
  'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Content-Length: 0\r\n',
  'X-B:\tb \r\n',
);
const host = fc.constantFrom(
  'Host: a\r\n',
  'Host: a\r\n',
  'Host: a\r\n',
  'Host:a:80 \r\n',
  'Host: a\r\nHost: b\r\n',
  '',
  'Host: a b\r\n',
  'Host: a,b\r\n',
);
const requestLine = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('GET / HTTP/1.1\r\n', 'POST /x HTTP/1.1\r\n', 'POST /x HTTP/1.0\r\n') },
  { weight: 1, arbitrary: fc.tuple(methods, targets, versions, ends).map(([m, t, v, end]) => `${m} ${t} ${v}${end}`) },
);
const fieldLines = fc.array(fc.oneof({ weight: 2, arbitrary: soundField }, { weight: 1, arbitrary: field }), {
  maxLength: 3,
});
const request = fc
  .tuple(requestLine, host, fieldLines, bodies)
  .map(([line, hostLine, fields, body]) => `${line}${hostLine}${fields.join('')}\r\n${body}`);

test('every request that we pass on, Node reads from the same bytes in the same way', { timeout: 60_000 }, async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 2 }), async (requests) => {
      const bytes = Buffer.from(requests.join(''), 'latin1');
      const { messages, usedBytes } = ourRequests(bytes);
      if (messages.length === 0) return;
      accepted += messages.length;
      expect(await nodeRequests(bytes.subarray(0, usedBytes))).toEqual(messages);
    }),
    { numRuns: 8000, seed: 20261121 },
  );
  expect(accepted).toBeGreaterThan(1500);
});

/** The answer that Node's client reads; undefined when it refuses. */
async function nodeResponse(bytes: Buffer): Promise<Message | undefined> {
  const [client, side] = duplexPair();
  const outgoing = httpRequest({ createConnection: () => client, headers: { host: 'a' } });
  outgoing.end();
  side.once('data', () => side.end(bytes));
  return await new Promise((resolve) => {
    outgoing.on('error', () => resolve(undefined));
    outgoing.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', () => resolve(undefined));
      response.on('end', () => {
        const body = Buffer.concat(parts).toString('latin1');
        resolve({ start: `${response.statusCode} ${response.statusMessage}`, fields: response.rawHeaders, body });
      });
    });
  });
}

function ourResponse(bytes: Buffer): { message: Message; usedBytes: number } | undefined {
  try {
    const head = new HeadReader().push(bytes, 0);
    if (head === undefined) return undefined;
    const response = parseResponseHead(head.text, 'GET');
    const read = readBody(response.framing, bytes, head.end);
    if (read === undefined || response.status < 200) return undefined;
    const fields = response.fields.flatMap(({ name, value }) => [name, value]);
    return {
      message: { start: `${response.status} ${response.reason}`, fields, body: read.body },
      usedBytes: read.end,
    };
  } catch (error) {
    if (!(error instanceof HttpRefusal)) throw error;
    return undefined;
  }
}

const statusLine = fc.constantFrom(
  'HTTP/1.1 200 OK\r\n',
  'HTTP/1.1 200 OK\r\n',
  'HTTP/1.1 404 Not Found\r\n',
  'HTTP/1.0 200 OK\r\n',
  'HTTP/1.1 204 No Content\r\n',
  'HTTP/1.1 304 Not Modified\r\n',
  'HTTP/1.1 200\r\n',
  'HTTP/1.1 200 \r\n',
  'HTTP/1.1 20 OK\r\n',
  'HTTP/1.1  200 OK\r\n',
  'HTTP/1.1 200 O\x00K\r\n',
  'ICY 200 OK\r\n',
);
const response = fc
  .tuple(statusLine, fieldLines, bodies)
  .map(([line, fields, body]) => `${line}${fields.join('')}\r\n${body}`);

test('every answer that we pass on, Node reads from the same bytes in the same way', { timeout: 60_000 }, async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(response, async (text) => {
      const bytes = Buffer.from(text, 'latin1');
      const ours = ourResponse(bytes);
      if (ours === undefined) return;
      accepted++;
      expect(await nodeResponse(bytes.subarray(0, ours.usedBytes))).toEqual(ours.message);
    }),
    { numRuns: 3000, seed: 20261121 },
  );
  expect(accepted).toBeGreaterThan(500);
});
