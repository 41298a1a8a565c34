import {
  answer,
  arrives,
  asked,
  chunk,
  type EdgeCase,
  gets,
  getsPage,
  goesOn,
  LAST_CHUNK,
  leave,
  reply,
  request,
  say,
  sayEnd,
  sees,
  serviceEnds,
  serviceSees,
} from '../support/conversation/steps.ts';

const CHUNKED = 'Transfer-Encoding: chunked';
const ok = (body: string) => answer('200 OK', `Content-Length: ${body.length}`) + body;
const GIB = 2 ** 30;

/** Where bodies end, and what happens to bodies whose end is ambiguous. */
export const framingCases: readonly EdgeCase[] = [
  {
    name: 'a body with a length goes up and down as it is, whatever its bytes',
    over: 'both',
    steps: [
      say(`${request('POST /', 'Content-Length: 12')}\0\r\n\r\n\xff\xfe0\r\n\r\n`),
      arrives(`${asked('POST /', 'Content-Length: 12')}\0\r\n\r\n\xff\xfe0\r\n\r\n`),
      reply(`${answer('200 OK', 'Content-Length: 6')}\0\r\n\x80\r\n`),
      gets(`${answer('200 OK', 'Content-Length: 6')}\0\r\n\x80\r\n`),
      ...goesOn(),
    ],
  },
  {
    name: 'a body in pieces is passed on piece by piece',
    over: 'both',
    steps: [
      say(request('POST /', 'Content-Length: 6')),
      arrives(asked('POST /', 'Content-Length: 6')),
      say('abc'),
      arrives('abc'),
      say('def'),
      arrives('def'),
      reply(answer('200 OK', 'Content-Length: 4')),
      gets(answer('200 OK', 'Content-Length: 4')),
      reply('12'),
      gets('12'),
      reply('34'),
      gets('34'),
      ...goesOn(),
    ],
  },
  {
    name: 'a length of nothing is passed on as such',
    over: 'both',
    steps: [
      say(request('POST /', 'Content-Length: 0')),
      arrives(asked('POST /', 'Content-Length: 0')),
      reply(answer('200 OK', 'Content-Length: 0')),
      gets(answer('200 OK', 'Content-Length: 0')),
      ...goesOn(),
    ],
  },
  {
    name: 'a length with leading zeros is written anew',
    steps: [
      say(`${request('POST /', 'Content-Length: 0003')}abc`),
      arrives(`${asked('POST /', 'Content-Length: 3')}abc`),
      reply(ok('one')),
      gets(ok('one')),
    ],
  },
  {
    name: 'chunks go both ways at once as they come',
    over: 'both',
    steps: [
      say(request('POST /', CHUNKED) + chunk('one')),
      arrives(asked('POST /', CHUNKED) + chunk('one')),
      reply(answer('200 OK', CHUNKED) + chunk('eins')),
      // The rest of the request may still come.
      gets(answer('200 OK', CHUNKED, 'Connection: close') + chunk('eins')),
      say(chunk('two')),
      arrives(chunk('two')),
      reply(chunk('zwei')),
      gets(chunk('zwei')),
      say(LAST_CHUNK),
      arrives(LAST_CHUNK),
      reply(LAST_CHUNK),
      gets(LAST_CHUNK),
      sees('end'),
    ],
  },
  {
    name: 'chunk extensions and trailers go up byte for byte',
    steps: [
      say(
        `${request('POST /', CHUNKED, 'Trailer: X-Sum')}5;a=1;b="x y"\r\nhello\r\n00;last\r\nX-Sum: 9\r\nX-B:b\r\n\r\n`,
      ),
      arrives(
        `${asked('POST /', 'Trailer: X-Sum', CHUNKED)}5;a=1;b="x y"\r\nhello\r\n00;last\r\nX-Sum: 9\r\nX-B:b\r\n\r\n`,
      ),
      reply(ok('one')),
      gets(ok('one')),
      ...goesOn(),
    ],
  },
  {
    name: 'over HTTP/2 trailers go up behind the last chunk',
    over: 'HTTP/2',
    steps: [
      say(request('POST /', CHUNKED, 'trailer: x-sum') + chunk('hello')),
      arrives(asked('POST /', 'trailer: x-sum', CHUNKED) + chunk('hello')),
      say('0\r\nx-sum: 9\r\nx-b: b\r\n\r\n'),
      arrives('0\r\nx-sum: 9\r\nx-b: b\r\n\r\n'),
      reply(ok('one')),
      gets(ok('one')),
      ...goesOn(),
    ],
  },
  {
    name: 'chunk extensions and trailers come down byte for byte',
    over: 'both',
    steps: [
      say(request('GET /')),
      arrives(asked('GET /')),
      reply(`${answer('200 OK', 'Trailer: X-Sum', CHUNKED)}5;a=1\r\nhello\r\n0\r\nX-Sum: 9\r\n\r\n`),
      gets(`${answer('200 OK', 'Trailer: X-Sum', CHUNKED)}5;a=1\r\nhello\r\n0\r\nX-Sum: 9\r\n\r\n`),
      ...goesOn(),
    ],
  },
  {
    name: 'chunk sizes may be written in capitals and with zeros',
    steps: [
      say(`${request('POST /', CHUNKED)}000A\r\n0123456789\r\n0a\r\n0123456789\r\n000\r\n\r\n`),
      arrives(`${asked('POST /', CHUNKED)}000A\r\n0123456789\r\n0a\r\n0123456789\r\n000\r\n\r\n`),
      reply(ok('one')),
      gets(ok('one')),
      ...goesOn(),
    ],
  },
  {
    name: 'the name of the coding counts in any case',
    steps: [
      say(request('POST /', 'transfer-encoding: CHUNKED') + chunk('one') + LAST_CHUNK),
      arrives(asked('POST /', CHUNKED) + chunk('one') + LAST_CHUNK),
      reply(ok('one')),
      gets(ok('one')),
    ],
  },
  {
    name: 'an answer without a length ends with its connection, and so does the visitor’s',
    steps: [
      say(request('GET /')),
      arrives(asked('GET /')),
      reply(`${answer('200 OK')}until the `),
      gets(`${answer('200 OK', 'Connection: close')}until the `),
      reply('end'),
      gets('end'),
      serviceEnds('end'),
      sees('end'),
    ],
  },
  {
    name: 'over HTTP/2 an answer without a length ends its stream',
    over: 'HTTP/2',
    steps: [
      say(request('GET /')),
      arrives(asked('GET /')),
      reply(`${answer('200 OK')}until the end`),
      gets(`${answer('200 OK')}until the end`),
      serviceEnds('end'),
      sees('end'),
    ],
  },
  {
    name: 'an answer without a length that breaks off is cut for the visitor',
    over: 'both',
    steps: [
      say(request('GET /')),
      arrives(asked('GET /')),
      reply(`${answer('200 OK', 'Connection: close')}until the`),
      gets(`${answer('200 OK', 'Connection: close')}until the`),
      serviceEnds('cut'),
      sees('cut'),
    ],
  },
  {
    name: 'HEAD states what a GET would have brought, and nothing follows it',
    over: 'both',
    steps: [
      say(request('HEAD /')),
      arrives(asked('HEAD /')),
      reply(answer('200 OK', 'Content-Length: 5000')),
      gets(answer('200 OK', 'Content-Length: 5000')),
      say(request('HEAD /')),
      arrives(asked('HEAD /')),
      reply(answer('200 OK', CHUNKED)),
      gets(answer('200 OK', CHUNKED)),
      ...goesOn(),
    ],
  },
  {
    name: '304 states a length, and nothing follows it',
    over: 'both',
    steps: [
      say(request('GET /', 'If-None-Match: "x"')),
      arrives(asked('GET /', 'If-None-Match: "x"')),
      reply(answer('304 Not Modified', 'ETag: "x"', 'Content-Length: 5')),
      gets(answer('304 Not Modified', 'ETag: "x"', 'Content-Length: 5')),
      ...goesOn(),
    ],
  },
  {
    name: '204 has no body and states none',
    over: 'both',
    steps: [
      say(request('DELETE /')),
      arrives(asked('DELETE /')),
      reply(answer('204 No Content', 'Content-Length: 0')),
      gets(answer('204 No Content')),
      ...goesOn(),
    ],
  },
  {
    name: 'an upload of more than 4 GiB is announced, begun, and cut by the visitor',
    over: 'both',
    steps: [
      say(`${request('PUT /', `Content-Length: ${5 * GIB}`)}begun`),
      arrives(`${asked('PUT /', `Content-Length: ${5 * GIB}`)}begun`),
      leave(),
      serviceSees('cut'),
    ],
  },
  {
    name: 'a download of more than 4 GiB is announced, begun, and cut by the service',
    over: 'both',
    steps: [
      say(request('GET /')),
      arrives(asked('GET /')),
      reply(`${answer('200 OK', `Content-Length: ${5 * GIB}`)}begun`),
      gets(`${answer('200 OK', `Content-Length: ${5 * GIB}`)}begun`),
      serviceEnds('cut'),
      sees('cut'),
    ],
  },
  {
    name: 'a chunk of more than 4 GiB is announced, begun, and cut by the visitor',
    steps: [
      say(`${request('PUT /', CHUNKED)}140000000\r\nbegun`),
      arrives(`${asked('PUT /', CHUNKED)}140000000\r\nbegun`),
      leave(),
      serviceSees('cut'),
    ],
  },
  {
    name: 'a chunked body that ends with its connection is cut for the service',
    steps: [
      say(request('PUT /', CHUNKED) + chunk('one')),
      arrives(asked('PUT /', CHUNKED) + chunk('one')),
      sayEnd(),
      serviceSees('cut'),
    ],
  },
  ...brokenChunks({
    'a size that is no number': 'x\r\n',
    'a size with a sign': '+5\r\nhello\r\n',
    'a size with 0x': '0x5\r\nhello\r\n',
    'a size with a blank before it': ' 5\r\nhello\r\n',
    'a size with a blank behind it': '5 \r\nhello\r\n',
    'no size': '\r\nhello\r\n',
    'a size beyond all bounds': 'fffffffffffffffff\r\n',
    'a size ended by a bare LF': '5\nhello\r\n',
    'a size ended by a bare CR': '5\rhello\r\n',
    'more data than its size': '5\r\nhello!\r\n',
    'data ended by a bare LF': '5\r\nhello\n0\r\n\r\n',
    'an extension without a name': '5;\r\nhello\r\n',
    'an extension with a bare LF': '5;a\nb\r\nhello\r\n',
    'an extension that never ends': `5;${'a'.repeat(1_000)}`,
    'a trailer without a colon': '0\r\nX-A\r\n\r\n',
    'a trailer with a blank before its colon': '0\r\nX-A : 1\r\n\r\n',
    'a trailer that is folded': '0\r\nX-A: 1\r\n 2\r\n\r\n',
    'a trailer with a bare LF': '0\r\nX-A: 1\n\r\n',
    'a length as a trailer': '0\r\nContent-Length: 5\r\n\r\n',
    'a Host as a trailer': '0\r\nHost: {second}\r\n\r\n',
    'a forged X-Forwarded-For as a trailer': '0\r\nX-Forwarded-For: 10.0.0.1\r\n\r\n',
  }),
];

/** Earlier bytes may have reached the service already: its request must be aborted, never completed. */
function brokenChunks(bodies: Record<string, string>): EdgeCase[] {
  return Object.entries(bodies).map(([what, body]) => ({
    name: `a chunk with ${what} is refused, and the service’s connection cut`,
    steps: [
      say(request('POST /', CHUNKED) + chunk('good')),
      arrives(asked('POST /', CHUNKED) + chunk('good')),
      say(body + request('GET /smuggled')),
      getsPage(400),
      sees('end'),
      serviceSees('cut'),
    ],
  }));
}
