import { expect, test } from 'vitest';
import type { Grant } from '../../access/judge-access.ts';
import { visitorCookieNames } from '../../access/visitor-cookie.ts';
import { HttpDate } from '../../codecs/http/http-date.ts';
import { parseRequestHead } from '../../codecs/http1/parse-request-head.ts';
import { noUpstreamEvents, type UpstreamStream } from '../../upstream/upstream-stream.ts';
import { noMeter } from '../../usage/mapping-meter.ts';
import { Exchange, type ExchangeVisitor } from './exchange.ts';

test('an exchange that cannot begin gives its stream back', () => {
  let resets = 0;
  const stream: UpstreamStream = {
    ...{ events: noUpstreamEvents, grant: undefined, isReused: false, queuedBytes: 0 },
    write: () => {
      throw new Error('a fault');
    },
    reset: () => void resets++,
    ...{ end() {}, consumed() {}, release() {} },
  };
  const marks = { visitorCookies: visitorCookieNames, hopId: 'x', date: new HttpDate(() => 0) };
  const plan = {
    ...{ marks, pool: { meter: noMeter, take: () => stream }, isTenant: true },
    ...{ rules: { reservedCookies: undefined, origins: undefined }, grant: { address: '192.0.2.1' } as Grant },
    forwarded: { origin: { scheme: 'http', authority: 'nas' }, visitorFields: 'send' },
  } as const;
  const request = parseRequestHead('GET / HTTP/1.1\r\nHost: nas\r\n');
  const deps = { monotonicMs: () => 0, forwarded: '', bound: undefined };
  // None of it is called.
  expect(() => new Exchange({} as ExchangeVisitor, request, plan, deps)).toThrow('a fault');
  expect(resets).toBe(1);
});
