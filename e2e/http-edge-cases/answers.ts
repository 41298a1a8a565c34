import {
  answer,
  arrives,
  asked,
  type EdgeCase,
  gets,
  goesOn,
  head,
  reply,
  request,
  say,
  sees,
} from '../support/conversation/steps.ts';

const GZIPPED = '\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\x07\x00\x86\xa6\x10\x36\x05\x00\x00\x00';

function passed(name: string, said: string, expected: string, over: EdgeCase['over'] = 'both'): EdgeCase {
  return {
    name,
    over,
    steps: [say(request('GET /')), arrives(asked('GET /')), reply(said), gets(expected), ...goesOn()],
  };
}

const kept = (name: string, text: string): EdgeCase => passed(name, text, text);

/** What a visitor receives of a service that must appear under its public name. */
function rewritten(name: string, said: string[], expected: string[]): EdgeCase {
  return {
    name,
    over: 'both',
    host: 'rewriting',
    steps: [
      say(head('GET / HTTP/1.1', 'Host: {rewriting}')),
      arrives(head('GET / HTTP/1.1', 'Host: {target}', '{added {target}}', 'Connection: keep-alive')),
      reply(answer('302 Found', ...said, 'Content-Length: 0')),
      gets(answer('302 Found', ...expected, 'Content-Length: 0')),
    ],
  };
}

/** What of an answer is forwarded unchanged, and what is not. */
export const answerCases: readonly EdgeCase[] = [
  kept(
    'a part of a file stays one',
    `${answer('206 Partial Content', 'Content-Range: bytes 0-1/9', 'Content-Length: 2')}ab`,
  ),
  kept(
    'several parts of a file stay as they are',
    answer('206 Partial Content', 'Content-Type: multipart/byteranges; boundary=x', 'Content-Length: 12') +
      '--x\r\n\r\n--x--',
  ),
  kept(
    'a range that cannot be had stays one',
    answer('416 Range Not Satisfiable', 'Content-Range: bytes */9', 'Content-Length: 0'),
  ),
  kept(
    'a compressed answer is not touched',
    answer(
      '200 OK',
      'Content-Encoding: gzip',
      'Vary: Accept-Encoding',
      'ETag: W/"1"',
      `Content-Length: ${GZIPPED.length}`,
    ) + GZIPPED,
  ),
  kept(
    'cookies of the service are passed on, each for itself',
    answer(
      '200 OK',
      'Set-Cookie: a=1; Path=/; HttpOnly',
      'Set-Cookie: b=2; Expires=Wed, 21 Oct 2037 07:28:00 GMT',
      'Content-Length: 0',
    ),
  ),
  passed(
    'cookies that would reach other mappings stay on their own host',
    answer('200 OK', 'Set-Cookie: a=1; Domain=localhost; Path=/', 'Content-Length: 0'),
    answer('200 OK', 'Set-Cookie: a=1; Path=/', 'Content-Length: 0'),
  ),
  passed(
    'a service cannot set the visitor’s pass, nor make browsers forget the cookies of others',
    answer(
      '200 OK',
      'Set-Cookie: tongtu_visitor=x',
      'Set-Cookie: __Host-tongtu_visitor=x; Secure; Path=/',
      'Clear-Site-Data: "cookies"',
      'Clear-Site-Data: "cache", "cookies"',
      'X-A: 1',
      'Content-Length: 0',
    ),
    answer('200 OK', 'Clear-Site-Data: "cache"', 'X-A: 1', 'Content-Length: 0'),
  ),
  passed(
    'fields of the connection are dropped, and those that Connection names',
    answer(
      '200 OK',
      'Connection: keep-alive, X-Hop',
      'X-Hop: 1',
      'Keep-Alive: timeout=5',
      'Alt-Svc: h3=":443"',
      'Content-Length: 0',
    ),
    answer('200 OK', 'Content-Length: 0'),
  ),
  passed(
    'a Date is added where the service has no clock',
    head('HTTP/1.1 200 OK', 'Content-Length: 0'),
    head('HTTP/1.1 200 OK', 'Content-Length: 0', 'Date: {now}'),
  ),
  passed(
    'fields keep their order, their spelling, their bytes and their repetition',
    answer('200 OK', 'x-MIXED-Case: a', 'X-A:1', 'X-Empty:', 'X-Latin: caf\xe9', 'X-A:  2 ', 'Content-Length: 0'),
    answer('200 OK', 'x-MIXED-Case: a', 'X-A: 1', 'X-Empty: ', 'X-Latin: caf\xe9', 'X-A: 2', 'Content-Length: 0'),
  ),
  passed(
    'Connection cannot name what says where the body ends',
    `${answer('200 OK', 'Connection: Content-Length, X-Hop', 'Content-Length: 2', 'X-Hop: 1')}ok`,
    `${answer('200 OK', 'Content-Length: 2')}ok`,
  ),
  passed(
    'an offer of another protocol is made to the relay alone',
    answer('200 OK', 'Connection: Upgrade', 'Upgrade: h2,h2c', 'Content-Length: 0'),
    answer('200 OK', 'Content-Length: 0'),
  ),
  passed(
    'a status line may end with the status',
    answer('200', 'Content-Length: 0'),
    answer('200 ', 'Content-Length: 0'),
  ),
  {
    name: '205 with a length of nothing stays',
    steps: [
      say(request('GET /')),
      arrives(asked('GET /')),
      reply(answer('205 Reset Content', 'Content-Length: 0')),
      gets(answer('205 Reset Content', 'Content-Length: 0')),
      ...goesOn(),
    ],
  },
  kept('a reason of one’s own stays', answer('200 Alles gut \xfc', 'Content-Length: 0')),
  kept('no reason at all stays none', answer('200 ', 'Content-Length: 0')),
  kept('a status that nobody knows stays', answer('299 Odd', 'Content-Length: 0')),
  kept('a server error stays the service’s', `${answer('500 Internal Server Error', 'Content-Length: 4')}oops`),
  kept(
    'a request for a password stays one',
    answer('401 Unauthorized', 'WWW-Authenticate: Basic realm="nas"', 'Content-Length: 0'),
  ),
  kept(
    'CORS, CSP, HSTS and the like are the service’s business',
    answer(
      '200 OK',
      'Access-Control-Allow-Origin: *',
      "Content-Security-Policy: default-src 'self'",
      'Strict-Transport-Security: max-age=1',
      'Content-Length: 0',
    ),
  ),
  kept(
    'a Location stays where the Host is kept',
    answer('302 Found', 'Location: http://192.168.1.1/x', 'Content-Length: 0'),
  ),
  {
    name: 'a 426 says to what the visitor should change',
    steps: [
      say(request('GET /')),
      arrives(asked('GET /')),
      reply(answer('426 Upgrade Required', 'Connection: Upgrade', 'Upgrade: websocket', 'Content-Length: 0')),
      gets(answer('426 Upgrade Required', 'Upgrade: websocket', 'Content-Length: 0', 'Connection: Upgrade')),
      ...goesOn(),
    ],
  },
  rewritten(
    'addresses of the service become public ones',
    ['Location: http://{target}/a?b=1', 'Content-Location: http://{target}/c', 'Refresh: 0; url=http://{target}/d'],
    [
      'Location: {scheme}://{rewriting}/a?b=1',
      'Content-Location: {scheme}://{rewriting}/c',
      'Refresh: 0; url={scheme}://{rewriting}/d',
    ],
  ),
  rewritten(
    'addresses of others, and those without a host, stay',
    ['Location: https://elsewhere.example/?back=http://{target}/', 'Content-Location: /c', 'Refresh: 5'],
    ['Location: https://elsewhere.example/?back=http://{target}/', 'Content-Location: /c', 'Refresh: 5'],
  ),
  {
    name: 'a head just below the limit comes through whole',
    over: 'both',
    steps: [
      say(request('GET /', `X-Long: ${'a'.repeat(31_000)}`)),
      arrives(asked('GET /', `X-Long: ${'a'.repeat(31_000)}`)),
      reply(answer('200 OK', `X-Long: ${'b'.repeat(31_000)}`, 'Content-Length: 0')),
      gets(answer('200 OK', `X-Long: ${'b'.repeat(31_000)}`, 'Content-Length: 0')),
      ...goesOn(),
    ],
  },
  {
    name: 'an answer that is sent before the visitor has ended its last request still comes',
    steps: [
      say(request('GET /', 'Connection: close')),
      arrives(asked('GET /')),
      reply(`${answer('200 OK', 'Content-Length: 2')}ok`),
      gets(`${answer('200 OK', 'Content-Length: 2', 'Connection: close')}ok`),
      sees('end'),
    ],
  },
];
