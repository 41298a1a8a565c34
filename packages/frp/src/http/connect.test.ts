import { expect, test } from 'vitest';
import { FrpError } from '../frp-error.ts';
import { ConnectReplyReader, connectRequest, dialFailureOf, ReasonReader, reasonRequest } from './connect.ts';

test('a target is named in the request, an IPv6 address in brackets', () => {
  expect(String(connectRequest({ host: 'nas.lan', port: 5000 }))).toBe(
    'CONNECT nas.lan:5000 HTTP/1.1\r\nHost: nas.lan:5000\r\n\r\n',
  );
  expect(String(reasonRequest({ host: 'fd00::2', port: 80 }))).toMatch(/^GET http:\/\/\[fd00::2\]:80\/ HTTP\/1.1\r\n/);
});

test('the answer is read wherever it is cut, and what follows belongs to the target', () => {
  const bytes = Buffer.from('HTTP/1.1 200 OK\r\n\r\nSSH-2.0');
  for (let cut = 0; cut <= bytes.length; cut++) {
    const reader = new ConnectReplyReader();
    const early = reader.push(bytes.subarray(0, cut));
    const reply = early ?? reader.push(bytes.subarray(cut));
    expect(reply?.status).toBe(200);
    const rest = early === undefined ? '' : String(bytes.subarray(cut));
    expect(String(reply?.rest) + rest).toBe('SSH-2.0');
  }
});

test.each(['HTTP/1.1 400 Bad Request\r\n\r\n', 'HTTP/1.1 407 Proxy Authentication Required\r\nA: b\r\n\r\n'])(
  '%j is a refusal',
  (text) => {
    expect(new ConnectReplyReader().push(Buffer.from(text))?.status).toBeGreaterThanOrEqual(400);
  },
);

test.each(['SSH-2.0-OpenSSH\r\n\r\n', `HTTP/1.1 200 ${'x'.repeat(9000)}`, 'HTTP/2 200\r\n\r\n'])(
  'an answer of another service is refused',
  (text) => {
    expect(() => new ConnectReplyReader().push(Buffer.from(text))).toThrow(FrpError);
  },
);

test.each([
  ['dial tcp 10.0.0.9:81: connect: connection refused', 'refused'],
  ['dial tcp 10.0.0.9:81: connect: no route to host', 'unreachable'],
  ['dial tcp [fd00::1]:81: connect: network is unreachable', 'unreachable'],
  ['dial tcp: lookup nobody.lan on 10.0.0.1:53: no such host', 'notFound'],
  ['dial tcp: lookup nobody.lan on 10.0.0.1:53: server misbehaving', 'notFound'],
  ['dial tcp 10.0.0.9:81: i/o timeout', 'timeout'],
  ['HTTP/1.1 200 OK', undefined],
] as const)('%s: %s', (text, failure) => {
  expect(dialFailureOf(text)).toBe(failure);
  const reader = new ReasonReader();
  const found = [...Buffer.from(text)].map((byte) => reader.push(Buffer.of(byte))).find(Boolean);
  expect(found).toBe(failure);
});
