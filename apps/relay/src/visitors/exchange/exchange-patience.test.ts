import { expect, test } from 'vitest';
import type { Grant } from '../../access/judge-access.ts';
import { visitorCookieNames } from '../../access/visitor-cookie.ts';
import { NO_TRAILERS } from '../../codecs/http/body-part.ts';
import { HttpDate } from '../../codecs/http/http-date.ts';
import { parseRequestHead } from '../../codecs/http1/parse-request-head.ts';
import { defaultRelayLimits } from '../../config/relay-limits.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import type { UpstreamEvents, UpstreamPool, UpstreamStream } from '../../upstream/upstream-stream.ts';
import { noMeter } from '../../usage/mapping-meter.ts';
import { Exchange, type ExchangePlan, type ExchangeVisitor } from './exchange.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A service whose stream takes as much as a test says. */
class Service implements UpstreamStream {
  events: UpstreamEvents = { onData() {}, onEnd() {}, onFailed() {}, onDrain() {} };
  grant: Grant | undefined;
  readonly isReused = false;
  queuedBytes = 0;
  consumedBytes = 0;
  readonly closing: ('end' | 'reset')[] = [];

  write(): boolean {
    return true;
  }
  end(): void {
    this.closing.push('end');
  }
  reset(): void {
    this.closing.push('reset');
  }
  release(): void {}
  consumed(bytes: number): void {
    this.consumedBytes += bytes;
  }
}

/** One exchange in virtual time, with the limits of a real relay and a sweep each second. */
function begin(head: string, plan: Partial<ExchangePlan> = {}) {
  const clock = new VirtualClock();
  const service = new Service();
  const visitor = { accepts: true, failure: '', hasEnded: false };
  const port: ExchangeVisitor = {
    sendInterim: () => visitor.accepts,
    sendHead: () => visitor.accepts,
    sendBody: () => visitor.accepts,
    pauseReading() {},
    resumeReading() {},
    onExchangeDone: () => (visitor.hasEnded = true),
    onExchangeFailed: (failure) => (visitor.failure = failure),
    onExchangeCut: () => (visitor.failure = 'cut'),
    connection: { isShared: true, refuseBound() {} },
  };
  const pool: UpstreamPool = { meter: noMeter, take: () => service };
  const grant = { address: '192.0.2.1' } as Grant; // the only part that is used here
  const marks = { visitorCookies: visitorCookieNames, hopId: 'x', date: new HttpDate(() => 0) };
  const forwarded = { origin: { scheme: 'http', authority: 'nas' }, visitorFields: 'send' } as const;
  const rules = { reservedCookies: undefined, origins: undefined };
  const exchange = new Exchange(
    port,
    parseRequestHead(head),
    { marks, forwarded, rules, pool, grant, isTenant: true, ...plan },
    { monotonicMs: clock.monotonicMs, forwarded: '', bound: undefined },
  );
  function pass(ms: number): void {
    for (let passedMs = 0; passedMs < ms; passedMs += 1000) {
      clock.advance(1000);
      if (exchange.isOverdue(clock.monotonicMs(), defaultRelayLimits)) exchange.expire();
    }
  }
  const say = (text: string) => service.events.onData(Buffer.from(text));
  return { exchange, service, visitor, pass, say };
}

const get = 'GET / HTTP/1.1\r\nHost: nas\r\n';
const put = 'PUT / HTTP/1.1\r\nHost: nas\r\nContent-Length: 1000\r\n';
const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n';

test('an answer begins within 60 seconds, or as late as its mapping says', () => {
  const usual = begin(get);
  usual.pass(59_000);
  expect(usual.visitor.failure).toBe('');
  usual.pass(2_000);
  expect(usual.visitor.failure).toBe('target-timeout');

  const patient = begin(get, { timeouts: { responseHeadTimeoutMs: HOUR_MS } });
  patient.pass(HOUR_MS - 1_000);
  patient.say('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  expect(patient.visitor).toMatchObject({ failure: '', hasEnded: true });
});

test('an event stream may be silent for almost an hour, or as long as its mapping says', () => {
  const usual = begin(get);
  for (let event = 0; event < 3; event++) {
    usual.say(event === 0 ? head : 'data: x\n\n');
    usual.pass(59 * MINUTE_MS);
  }
  expect(usual.visitor.failure).toBe('');
  usual.pass(2 * MINUTE_MS);
  expect(usual.visitor.failure).toBe('cut');

  const patient = begin(get, { timeouts: { serviceSilenceMs: 24 * HOUR_MS } });
  patient.say(head);
  patient.pass(23 * HOUR_MS);
  expect(patient.visitor.failure).toBe('');
});

test('a visitor who pauses a film for hours is not cut, and one who never reads is', () => {
  const film = begin(get);
  film.visitor.accepts = false;
  film.say(`${head}the beginning`);
  film.pass(11 * HOUR_MS);
  // The service may send no more than its window meanwhile.
  expect([film.visitor.failure, film.service.consumedBytes]).toEqual(['', 0]);
  film.visitor.accepts = true;
  film.exchange.onVisitorDrain();
  expect(film.service.consumedBytes).toBe(`${head}the beginning`.length);
  film.visitor.accepts = false;
  film.say('the rest');
  film.pass(12 * HOUR_MS + 2_000);
  expect(film.visitor.failure).toBe('cut');
});

test('an upload that its service reads slowly has its time until the service has all of it', () => {
  const upload = begin(put);
  upload.exchange.takeBody({ payload: Buffer.alloc(1000), trailers: NO_TRAILERS });
  expect(upload.exchange.isRequestDone).toBe(true);
  for (upload.service.queuedBytes = 10; upload.service.queuedBytes > 0; upload.service.queuedBytes--)
    upload.pass(30 * MINUTE_MS);
  expect(upload.visitor.failure).toBe('');
  upload.pass(59_000);
  expect(upload.visitor.failure).toBe('');
  upload.pass(3_000);
  expect(upload.visitor.failure).toBe('target-timeout');
});

test('the console is not waited for that long', () => {
  const silent = begin(get, { isTenant: false });
  silent.say(head);
  silent.pass(302_000);
  expect(silent.visitor.failure).toBe('cut');
  const unread = begin(get, { isTenant: false });
  unread.visitor.accepts = false;
  unread.say(head);
  unread.pass(302_000);
  expect(unread.visitor.failure).toBe('cut');
});

test('a service whose visitor leaves gets an end after a whole request, and a reset in the middle of one', () => {
  const whole = begin(get);
  whole.exchange.abort();
  expect(whole.service.closing).toEqual(['end', 'reset']);
  const half = begin(put);
  half.exchange.takeBody({ payload: Buffer.alloc(500), trailers: undefined });
  half.exchange.abort();
  expect(half.service.closing).toEqual(['reset']);
});
