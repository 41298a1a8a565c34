import {
  answer,
  arrives,
  asked,
  askedOf,
  chunk,
  type EdgeCase,
  gets,
  goesOn,
  head,
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

const ok = (body: string, ...fields: string[]) => answer('200 OK', ...fields, `Content-Length: ${body.length}`) + body;
const closing = (body: string) => answer('200 OK', `Content-Length: ${body.length}`, 'Connection: close') + body;

/** With a long field each, this is several times as much as the relay prefetches. */
const PIPELINED = Array.from({ length: 60 }, (_, at) => `/${at}`);

/** Connections that are kept open, shared by requests, and closed by either side. */
export const connectionCases: readonly EdgeCase[] = [
  {
    name: 'a connection is kept for the next request on both sides',
    over: 'both',
    steps: [
      say(request('GET /')),
      arrives(asked('GET /')),
      reply(ok('one')),
      gets(ok('one')),
      ...goesOn(),
      ...goesOn(),
    ],
  },
  {
    name: 'Connection: close of the visitor ends its connection and not the service’s',
    steps: [
      say(request('GET /', 'Connection: close')),
      arrives(asked('GET /')),
      reply(ok('one')),
      gets(closing('one')),
      sees('end'),
    ],
  },
  {
    name: 'Connection: close of the service does not end the visitor’s',
    over: 'both',
    steps: [
      say(request('GET /')),
      arrives(asked('GET /')),
      reply(closing('one')),
      gets(ok('one')),
      serviceEnds('end'),
      ...goesOn(),
    ],
  },
  {
    name: 'pipelined requests are answered in their order, one at a time',
    steps: [
      say(request('GET /1') + request('GET /2') + request('HEAD /3') + request('GET /4')),
      arrives(asked('GET /1')),
      // The second answer does not come before this one is complete.
      reply(ok('first answer').slice(0, -6)),
      gets(ok('first answer').slice(0, -6)),
      reply('answer'),
      gets('answer'),
      arrives(asked('GET /2')),
      reply(answer('200 OK', 'Transfer-Encoding: chunked') + chunk('second') + LAST_CHUNK),
      gets(answer('200 OK', 'Transfer-Encoding: chunked') + chunk('second') + LAST_CHUNK),
      arrives(asked('HEAD /3')),
      reply(answer('200 OK', 'Content-Length: 5')),
      gets(answer('200 OK', 'Content-Length: 5')),
      arrives(asked('GET /4')),
      reply(ok('fourth')),
      gets(ok('fourth')),
    ],
  },
  {
    name: 'more pipelined requests than are read before their turn are all answered',
    steps: [
      say(PIPELINED.map((path) => request(`GET ${path}`, `X-Long: ${'x'.repeat(4_000)}`)).join('')),
      ...PIPELINED.flatMap((path) => [
        arrives(asked(`GET ${path}`, `X-Long: ${'x'.repeat(4_000)}`)),
        reply(ok(path)),
        gets(ok(path)),
      ]),
    ],
  },
  {
    name: 'a request behind an answer that ends with its connection is not served',
    steps: [
      say(request('GET /1') + request('GET /2')),
      arrives(asked('GET /1')),
      reply(`${answer('200 OK')}until the end`),
      serviceEnds('end'),
      gets(`${answer('200 OK', 'Connection: close')}until the end`),
      sees('end'),
    ],
  },
  {
    name: 'pipelined requests for two mappings go to their own services, and the answers keep the order',
    steps: [
      say(request('GET /1') + head('GET /2 HTTP/1.1', 'Host: {second}') + request('GET /3')),
      arrives(asked('GET /1')),
      reply(ok('first')),
      gets(ok('first')),
      arrives(askedOf('{second}', 'GET /2'), 'second'),
      reply(ok('second')),
      gets(ok('second')),
      arrives(asked('GET /3')),
      reply(ok('third')),
      gets(ok('third')),
    ],
  },
  {
    name: 'a body is not taken for a request, nor a request behind it for a body',
    steps: [
      say(`${request('POST /1', 'Content-Length: 18')}GET /no HTTP/1.1\r\n${request('GET /2')}`),
      arrives(`${asked('POST /1', 'Content-Length: 18')}GET /no HTTP/1.1\r\n`),
      reply(ok('one')),
      gets(ok('one')),
      arrives(asked('GET /2')),
      reply(ok('two')),
      gets(ok('two')),
    ],
  },
  {
    name: 'what is sent behind a last request is not served',
    steps: [
      say(request('GET /1', 'Connection: close') + request('GET /2')),
      arrives(asked('GET /1')),
      reply(ok('one')),
      gets(closing('one')),
      sees('end'),
    ],
  },
  {
    name: 'a visitor that has ended its side gets what it asked for before',
    steps: [
      say(request('GET /1') + request('GET /2')),
      sayEnd(),
      arrives(asked('GET /1')),
      reply(ok('one')),
      gets(ok('one')),
      arrives(asked('GET /2')),
      reply(ok('two')),
      gets(ok('two')),
      sees('end'),
    ],
  },
  {
    name: 'a request that comes byte by byte is one request',
    steps: [
      ...'GET /slow HTTP/1.1\r\nHost: '.split('').map(say),
      say('{host}'),
      ...'\r\nX-A: 1\r\n\r\n'.split('').map(say),
      arrives(asked('GET /slow', 'X-A: 1')),
      ...ok('one').split('').map(reply),
      gets(ok('one')),
    ],
  },
  {
    name: 'an empty line before a request is overlooked',
    steps: [
      say(`\r\n${request('GET /')}`),
      arrives(asked('GET /')),
      reply(ok('one')),
      gets(ok('one')),
      say(`\r\n${request('GET /')}`),
      arrives(asked('GET /')),
      reply(ok('two')),
      gets(ok('two')),
    ],
  },
  {
    name: 'a visitor of HTTP/1.0 is answered and its connection closed',
    steps: [
      say(head('GET / HTTP/1.0', 'Host: {host}')),
      arrives(asked('GET /')),
      reply(ok('one')),
      gets(closing('one')),
      sees('end'),
    ],
  },
  {
    name: 'a visitor of HTTP/1.0 that asks for it keeps its connection',
    steps: [
      say(head('GET / HTTP/1.0', 'Host: {host}', 'Connection: Keep-Alive')),
      arrives(asked('GET /')),
      reply(ok('one')),
      gets(answer('200 OK', 'Content-Length: 3', 'Connection: keep-alive') + 'one'),
      ...goesOn(),
    ],
  },
  {
    name: 'a visitor of HTTP/1.0 gets a chunked answer without the chunks',
    steps: [
      say(head('GET / HTTP/1.0', 'Host: {host}', 'Connection: keep-alive')),
      arrives(asked('GET /')),
      reply(answer('200 OK', 'Transfer-Encoding: chunked') + chunk('one') + chunk('two') + LAST_CHUNK),
      gets(`${answer('200 OK', 'Connection: close')}onetwo`),
      sees('end'),
    ],
  },
  {
    name: 'a visitor of HTTP/1.0 gets no interim answers',
    steps: [
      say(head('GET / HTTP/1.0', 'Host: {host}', 'Expect: 100-continue')),
      arrives(asked('GET /')),
      reply(head('HTTP/1.1 103 Early Hints', 'Link: </a.css>') + ok('one')),
      gets(closing('one')),
      sees('end'),
    ],
  },
  {
    name: 'a service of HTTP/1.0 is spoken of as HTTP/1.1, and its connection used once',
    over: 'both',
    steps: [
      say(request('GET /')),
      arrives(asked('GET /')),
      reply(ok('one').replace('HTTP/1.1', 'HTTP/1.0')),
      gets(ok('one')),
      serviceSees('end'),
      ...goesOn(),
    ],
  },
  {
    name: 'a service of HTTP/1.0 that keeps its connection is asked again on it',
    steps: [
      say(request('GET /')),
      arrives(asked('GET /')),
      reply(answer('200 OK', 'Content-Length: 3', 'Connection: keep-alive').replace('HTTP/1.1', 'HTTP/1.0') + 'one'),
      gets(ok('one')),
      ...goesOn(),
    ],
  },
  {
    name: 'a visitor that leaves takes its request with it',
    over: 'both',
    steps: [say(request('GET /')), arrives(asked('GET /')), leave(), serviceSees('end')],
  },
  {
    name: 'a visitor that leaves in the middle of its body does not let it look whole',
    over: 'both',
    steps: [
      say(`${request('PUT /', 'Content-Length: 10')}12345`),
      arrives(`${asked('PUT /', 'Content-Length: 10')}12345`),
      leave(),
      serviceSees('cut'),
    ],
  },
  {
    name: 'a visitor that ends its side in the middle of its body has its request cut',
    steps: [
      say(`${request('PUT /', 'Content-Length: 10')}12345`),
      arrives(`${asked('PUT /', 'Content-Length: 10')}12345`),
      sayEnd(),
      serviceSees('cut'),
    ],
  },
];
