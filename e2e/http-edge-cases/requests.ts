import {
  answer,
  arrives,
  asked,
  askedOf,
  chunk,
  type EdgeCase,
  gets,
  getsPage,
  goesOn,
  head,
  LAST_CHUNK,
  reply,
  request,
  say,
} from '../support/conversation/steps.ts';

const OK = answer('200 OK', 'Content-Length: 2');
const answered = [reply(`${OK}ok`), gets(`${OK}ok`)];

/** One request, and the form in which the service receives it. */
function passed(name: string, sent: string, expected: string, options: Pick<EdgeCase, 'over' | 'host'> = {}): EdgeCase {
  return { name, ...options, steps: [say(sent), arrives(expected), ...answered] };
}

/** The target is forwarded unchanged: not decoded, encoded, joined or shortened. */
const TARGETS = [
  '/',
  '/a/../b/./c',
  '//double//slash/',
  '/%2e%2e/%2F%5c',
  '/%E4%BD%A0%e4%bd%a0',
  '/%00%0d%0a%zz%',
  '/?a=1&a=2&&=?/?',
  '/;v=1,2/(x)!$&*+@:~',
  '/"<>\\^`{|}',
  `/${'long/'.repeat(1_500)}`,
];

const METHODS = [
  ...['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'PURGE'],
  // WebDAV, CalDAV and UPnP
  ...['PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK', 'REPORT', 'MKCALENDAR', 'NOTIFY', 'M-SEARCH'],
];

const FORGED = [
  'X-Forwarded-For: 10.0.0.1',
  'X-FORWARDED-PROTO: https',
  'X-Forwarded-Host: evil.example',
  'X-Forwarded-Prefix: /evil',
  'X_Forwarded_For: 10.0.0.1',
  'X-Client-IP: 10.0.0.1',
  'CF-Connecting-IP: 10.0.0.1',
  'X-Original-URL: /admin',
  'Forwarded: for=10.0.0.1;host=evil.example',
  'X-Real-IP: 10.0.0.1',
];

/** What of a request is forwarded unchanged, and what is not. */
export const requestCases: readonly EdgeCase[] = [
  ...TARGETS.map((target) =>
    passed(
      `the target ${target.slice(0, 40)} is kept byte for byte`,
      request(`GET ${target}`),
      asked(`GET ${target}`),
      {
        over: 'both',
      },
    ),
  ),
  ...METHODS.map((method) =>
    passed(`the method ${method} is passed on`, request(`${method} /x`), asked(`${method} /x`), { over: 'both' }),
  ),
  passed('OPTIONS * asks about the service as a whole', request('OPTIONS *'), asked('OPTIONS *'), { over: 'both' }),
  passed(
    'the absolute form becomes a path',
    head('GET http://{host}/a?b=1 HTTP/1.1', 'Host: {host}'),
    asked('GET /a?b=1'),
  ),
  passed(
    'the absolute form of no path is the root',
    head('GET http://{host} HTTP/1.1', 'Host: {host}'),
    asked('GET /'),
  ),
  passed(
    'the absolute form of a query alone is a query of the root',
    head('GET HTTP://{host}?b=1 HTTP/1.1', 'Host: {host}'),
    asked('GET /?b=1'),
  ),
  passed(
    'the absolute form of OPTIONS without a path is about the service as a whole',
    head('OPTIONS http://{host} HTTP/1.1', 'Host: {host}'),
    asked('OPTIONS *'),
  ),
  passed(
    'Max-Forwards of an OPTIONS is counted down',
    request('OPTIONS /', 'Max-Forwards: 7'),
    asked('OPTIONS /', 'Max-Forwards: 6'),
    { over: 'both' },
  ),
  passed(
    'Max-Forwards of a GET means nothing and stays',
    request('GET /', 'Max-Forwards: 7'),
    asked('GET /', 'Max-Forwards: 7'),
    { over: 'both' },
  ),
  {
    name: 'an OPTIONS that is to go no further is answered by the relay',
    over: 'both',
    steps: [say(request('OPTIONS /', 'Max-Forwards: 0')), getsPage(200, { goesOn: true }), ...goesOn()],
  },
  {
    name: 'a TRACE is not passed on, whatever its Max-Forwards',
    over: 'both',
    steps: [say(request('TRACE /', 'Max-Forwards: 3')), getsPage(405, { goesOn: true }), ...goesOn()],
  },
  passed(
    'fields keep their order, their spelling, their bytes and their repetition',
    request(
      'GET /',
      'x-MIXED-Case: a',
      'Accept: */*',
      'X-Empty:',
      'X-Latin: caf\xe9',
      'Accept: text/html',
      'X-Tab:\ta\tb\t ',
    ),
    asked(
      'GET /',
      'x-MIXED-Case: a',
      'Accept: */*',
      'X-Empty: ',
      'X-Latin: caf\xe9',
      'Accept: text/html',
      'X-Tab: a\tb',
    ),
  ),
  passed(
    'over HTTP/2 fields keep their order, their bytes and their repetition',
    request('GET /', 'accept: */*', 'x-empty: ', 'x-latin: caf\xe9', 'accept: text/html', 'te: trailers'),
    asked('GET /', 'accept: */*', 'x-empty: ', 'x-latin: caf\xe9', 'accept: text/html'),
    { over: 'HTTP/2' },
  ),
  passed(
    'fields of the connection are dropped, and those that Connection names',
    request(
      'GET /',
      'Connection: keep-alive, X-Secret',
      'X-Secret: 1',
      'Keep-Alive: timeout=5',
      'Proxy-Connection: keep-alive',
      'Proxy-Authorization: Basic eA==',
      'TE: trailers, deflate',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
      'connection: x-OTHER',
      'X-Other: 2',
      'X-Kept: 3',
    ),
    asked('GET /', 'X-Kept: 3'),
  ),
  passed(
    'Connection cannot name what the relay itself says of the visitor, the Host or the length',
    request('POST /', 'Connection: X-Forwarded-For, Host, Content-Length, X-Real-IP', 'Content-Length: 0'),
    asked('POST /', 'Content-Length: 0'),
  ),
  passed(
    'what a visitor forges of itself is dropped',
    request('GET /', ...FORGED, 'X-Kept: 1'),
    asked('GET /', 'X-Kept: 1'),
    {
      over: 'both',
    },
  ),
  passed(
    'names with an underscore are kept, unless CGI would take them for what the relay says',
    request('GET /', 'X_Custom: 1', 'Content_Length: 5', 'Transfer_Encoding: chunked', 'X-Forwarded_Proto: https'),
    asked('GET /', 'X_Custom: 1'),
    { over: 'both' },
  ),
  passed('an upgrade without Connection: Upgrade is none', request('GET /', 'Upgrade: websocket'), asked('GET /')),
  passed(
    'an upgrade to HTTP/2 would be blind to the requests inside, so it is not asked for',
    request('GET /', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'),
    asked('GET /'),
  ),
  passed(
    'cookies are the service’s, but for the one of the relay',
    request('GET /', 'Cookie: a=1; tongtu_visitor=secret; __Host-tongtu_visitor=secret; b="x=y"'),
    asked('GET /', 'Cookie: a=1; b="x=y"'),
    { over: 'both' },
  ),
  passed(
    'a Cookie that held nothing else is dropped',
    request('GET /', 'Cookie: tongtu_visitor=secret'),
    asked('GET /'),
    { over: 'both' },
  ),
  passed(
    'a Host in capitals finds its mapping and stays as it is',
    head('GET / HTTP/1.1', 'Host: STAGE-FIRST.localhost:80'),
    askedOf('STAGE-FIRST.localhost:80', 'GET /'),
  ),
  passed(
    'a Host with the dot of the root finds its mapping and stays as it is',
    head('GET / HTTP/1.1', 'Host: stage-first.localhost.:80'),
    askedOf('stage-first.localhost.:80', 'GET /'),
  ),
  passed(
    'Range, conditions and Content-Encoding are the service’s business',
    request(
      'PUT /',
      'Range: bytes=0-1,5-',
      'If-Range: "x"',
      'If-Match: *',
      'Content-Encoding: gzip',
      'Content-Length: 3',
    ) + '\x1f\x8b\x08',
    asked(
      'PUT /',
      'Range: bytes=0-1,5-',
      'If-Range: "x"',
      'If-Match: *',
      'Content-Encoding: gzip',
      'Content-Length: 3',
    ) + '\x1f\x8b\x08',
    { over: 'both' },
  ),
  passed(
    'a GET may have a body',
    `${request('GET /', 'Content-Length: 3')}abc`,
    `${asked('GET /', 'Content-Length: 3')}abc`,
    { over: 'both' },
  ),
  passed(
    'a DELETE may have chunks',
    request('DELETE /', 'Transfer-Encoding: chunked') + chunk('abc') + LAST_CHUNK,
    asked('DELETE /', 'Transfer-Encoding: chunked') + chunk('abc') + LAST_CHUNK,
    { over: 'both' },
  ),
  passed(
    'a service that is to see its own address sees it, also in Origin, Referer and Destination',
    head(
      'MOVE /a HTTP/1.1',
      'Host: {rewriting}',
      'Origin: {scheme}://{rewriting}',
      'Referer: {scheme}://{rewriting}/b?c=http://{rewriting}/',
      'Destination: {scheme}://{rewriting}/d',
      'X-Other: http://{rewriting}/',
    ),
    head(
      'MOVE /a HTTP/1.1',
      'Host: {target}',
      'Origin: http://{target}',
      'Referer: http://{target}/b?c=http://{rewriting}/',
      'Destination: http://{target}/d',
      'X-Other: http://{rewriting}/',
      '{added {target}}',
      'Connection: keep-alive',
    ),
    { over: 'both', host: 'rewriting' },
  ),
  passed(
    'an Origin that is another’s stays another’s where the Host is rewritten',
    head('POST / HTTP/1.1', 'Host: {rewriting}', 'Origin: https://evil.example', 'Referer: null', 'Content-Length: 0'),
    head(
      'POST / HTTP/1.1',
      'Host: {target}',
      'Origin: https://evil.example',
      'Referer: null',
      'Content-Length: 0',
      '{added {target}}',
      'Connection: keep-alive',
    ),
    { over: 'both', host: 'rewriting' },
  ),
];
