import { type EdgeCase, getsPage, goesOn, head, request, say, sees } from '../support/conversation/steps.ts';

const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: {host}\r\n\r\n';
const HEAD_LIMIT_BYTES = 32 * 1024;

/** Ambiguous heads: a normal request line and ambiguous field lines. */
const DOUBTFUL_FIELDS: Record<string, string[]> = {
  'no colon': ['X-A'],
  'a space before the colon': ['X-A : 1'],
  'a tab before the colon': ['Content-Length\t: 0'],
  'no name': [': 1'],
  'a name that is no token': ['X(A): 1'],
  'a name in UTF-8': ['X-\xc3\xa9: 1'],
  'a folded value': ['X-A: 1', ' 2'],
  'a folded value by a tab': ['X-A: 1', '\t2'],
  'a NUL in a value': ['X-A: 1\x002'],
  'a NUL in a name': ['X\0A: 1'],
  'a control character in a value': ['X-A: 1\x012'],
  'a DEL in a value': ['X-A: 1\x7f2'],
  'a bare CR in a value': ['X-A: 1\rX-B: 2'],
  'a bare CR at the end of a value': ['X-A: 1\r'],
  'a bare LF in a value': ['X-A: 1\nTransfer-Encoding: chunked'],
  'a second Host': ['Host: {second}'],
  'a second Host that is the same': ['Host: {host}'],
  'two lengths': ['Content-Length: 4', 'Content-Length: 5'],
  'the same length twice': ['Content-Length: 4', 'content-length: 4'],
  'a list of the same length': ['Content-Length: 4, 4'],
  'an empty length': ['Content-Length:'],
  'a length with a sign': ['Content-Length: +4'],
  'a negative length': ['Content-Length: -1'],
  'a length in hexadecimal': ['Content-Length: 0x4'],
  'a length with a fraction': ['Content-Length: 4.0'],
  'a length with a power': ['Content-Length: 4e0'],
  'a length in two parts': ['Content-Length: 4 4'],
  'a length with an underscore': ['Content-Length: 1_0'],
  'a length in quotes': ['Content-Length: "4"'],
  'a length in other digits': ['Content-Length: \xd9\xa4'],
  'a length that cannot be counted exactly': ['Content-Length: 9007199254740993'],
  'a length beyond 64 bits': ['Content-Length: 18446744073709551620'],
  'a length and chunks': ['Content-Length: 4', 'Transfer-Encoding: chunked'],
  'chunks and a length': ['Transfer-Encoding: chunked', 'Content-Length: 4'],
  'chunks twice in two fields': ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
  'a coding behind chunks in another field': ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
  'a vertical tab before the coding': ['Transfer-Encoding: \x0bchunked'],
  'a form feed behind the coding': ['Transfer-Encoding: chunked\x0c'],
  'a space before the colon of the coding': ['Transfer-Encoding : chunked'],
  'a coding behind a folded line': ['X-A: 1', ' Transfer-Encoding: chunked'],
  'a coding whose value is folded': ['Transfer-Encoding:', ' chunked'],
};

/** Codings that may have another meaning for a service that knows more of them than the relay. */
const UNKNOWN_CODINGS = [
  ...['gzip, chunked', 'chunked, gzip', 'chunked, chunked', 'identity', 'identity, chunked', 'xchunked', 'chunkedx'],
  ...['"chunked"', "'chunked'", 'chunked;q=1', ',chunked', 'chunked,', 'chun ked', '', '\xa0chunked', 'cow'],
];

const DOUBTFUL_LINES: Record<string, string> = {
  'no version': 'GET /',
  'a version in small letters': 'GET / http/1.1',
  'a version of one number': 'GET / HTTP/1',
  'another protocol': 'GET / ICAP/1.0',
  'two spaces before the target': 'GET  / HTTP/1.1',
  'two spaces before the version': 'GET /  HTTP/1.1',
  'a tab for a space': 'GET\t/ HTTP/1.1',
  'a space behind the version': 'GET / HTTP/1.1 ',
  'a space in the target': 'GET /a b HTTP/1.1',
  'a fragment in the target': 'GET /a#b HTTP/1.1',
  'a NUL in the target': 'GET /a\0b HTTP/1.1',
  'UTF-8 in the target': 'GET /\xe4\xbd\xa0 HTTP/1.1',
  'a bare CR in the target': 'GET /a\rb HTTP/1.1',
  'a target without a slash': 'GET a HTTP/1.1',
  'an asterisk for a GET': 'GET * HTTP/1.1',
  'the authority form for a GET': 'GET {host} HTTP/1.1',
  'an absolute form of another host': 'GET http://{second}/ HTTP/1.1',
  'an absolute form with a user': 'GET http://me@{host}/ HTTP/1.1',
  'an absolute form of another scheme': 'GET ftp://{host}/ HTTP/1.1',
  'a method that is no token': 'GE(T / HTTP/1.1',
  'a space before the method': ' GET / HTTP/1.1',
};

const DOUBTFUL_HOSTS: Record<string, string> = {
  'no name': '',
  'a user': 'me@stage-first.localhost',
  'a path': 'stage-first.localhost/x',
  'a port that is none': 'stage-first.localhost:http',
  'a port above the last one': 'stage-first.localhost:65536',
  'two names': 'stage-first.localhost, stage-second.localhost',
  'a blank inside': 'stage-first .localhost',
  'a percent-encoding': 'stage%2dfirst.localhost',
};

/**
 * Refused, never repaired: one answer, the connection closes, and neither this request nor later bytes reach a service.
 */
export const refusalCases: readonly EdgeCase[] = [
  ...Object.entries(DOUBTFUL_FIELDS).map(([what, fields]) =>
    refused(`a head with ${what}`, request('GET /', ...fields)),
  ),
  ...UNKNOWN_CODINGS.map((coding) =>
    refused(`the transfer coding "${coding}"`, request('POST /', `Transfer-Encoding: ${coding}`), 501),
  ),
  ...Object.entries(DOUBTFUL_LINES).map(([what, line]) =>
    refused(`a request line with ${what}`, head(line, 'Host: {host}')),
  ),
  ...Object.entries(DOUBTFUL_HOSTS).map(([what, host]) =>
    refused(`a Host with ${what}`, head('GET / HTTP/1.1', `Host: ${host}`)),
  ),
  refused('a request without a Host', head('GET / HTTP/1.1', 'Accept: */*')),
  refused('a request without a Host in HTTP/1.0', head('GET / HTTP/1.0', 'Accept: */*')),
  refused('a head with bare LF', `GET / HTTP/1.1\nHost: {host}\n\n`),
  refused('a head that ends with a bare LF', `GET / HTTP/1.1\r\nHost: {host}\r\n\n`),
  refused('a head that begins with two empty lines', `\r\n\r\n${request('GET /')}`),
  refused('a first field that is folded', 'GET / HTTP/1.1\r\n X-A: 1\r\nHost: {host}\r\n\r\n'),
  refused('chunks in HTTP/1.0', head('POST / HTTP/1.0', 'Host: {host}', 'Transfer-Encoding: chunked')),
  refused('HTTP/0.9', 'GET /\r\n\r\n'),
  refused('the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 501),
  refused('HTTP/1.2', head('GET / HTTP/1.2', 'Host: {host}'), 505),
  refused('HTTP/2.0 in words', head('GET / HTTP/2.0', 'Host: {host}'), 505),
  refused('CONNECT', head('CONNECT {host} HTTP/1.1', 'Host: {host}'), 405),
  refused('a method that nobody knows', request('FROBNICATE /'), 501),
  refused('a method in small letters', request('get /'), 501),
  refused('a target that is too long', request(`GET /${'a'.repeat(HEAD_LIMIT_BYTES)}`), 414),
  refused('a field that is too long', request('GET /', `X-A: ${'a'.repeat(HEAD_LIMIT_BYTES)}`), 431),
  refused(
    'more fields than anybody needs',
    request('GET /', ...Array.from({ length: 201 }, (_, at) => `X-${at}: 1`)),
    431,
  ),
  refusedStream('a target that is too long', request(`GET /${'a'.repeat(HEAD_LIMIT_BYTES)}`), 414),
  refusedStream('a field that is too long', request('GET /', `X-A: ${'a'.repeat(HEAD_LIMIT_BYTES)}`), 431),
  refusedStream('a method that nobody knows', request('FROBNICATE /'), 501),
  refusedStream('a Host that is none', head('GET / HTTP/1.1', 'Host: stage-first.localhost:http'), 400),
];

function refused(what: string, text: string, status = 400): EdgeCase {
  return {
    name: `${what} is refused with ${status}, and nothing reaches a service`,
    steps: [say(text + SMUGGLED), getsPage(status), sees('end')],
  };
}

/** Over HTTP/2 a refused request does not affect the others. */
function refusedStream(what: string, text: string, status: number): EdgeCase {
  return {
    name: `${what} is refused with ${status}, and the connection goes on`,
    over: 'HTTP/2',
    steps: [say(text), getsPage(status), ...goesOn()],
  };
}
