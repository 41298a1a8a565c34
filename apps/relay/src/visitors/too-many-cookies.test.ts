import { expect, test } from 'vitest';
import { Http2Client } from '../testing/clients/http2-client.ts';
import { openRawClient, RawClient } from '../testing/clients/raw-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';
import { tlsVisit } from '../testing/clients/tls-visit.ts';

// Browsers keep up to 180 cookies of 4 KB for one domain, and any page below it can plant them there.
const planted = (count: number) => Array.from({ length: count }, (_, index) => `b${index}=${'x'.repeat(3900)}`);
const HOST = 'nas.localhost';

async function startVisit() {
  const stack = new AsyncDisposableStack();
  const t = stack.use(await startTestRelay());
  const lan = stack.use(await startLanService((_request, response) => response.end('lan')));
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { [HOST]: lan.port }), key);
  return {
    tlsPort: t.relay.tlsPort,
    httpPort: t.relay.httpPort,
    overHttp2: () => stack.use(new Http2Client(t.relay.tlsPort, HOST, { maxSendHeaderBlockLength: 1 << 20 })),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** The answer to a request with these lines. */
async function ask(visitor: RawClient, lines: readonly string[]): Promise<string> {
  visitor.send(['GET / HTTP/1.1', `Host: ${HOST}`, ...lines, '', ''].join('\r\n'));
  return Buffer.from(await visitor.untilEnd(), 'latin1').toString();
}

test('over https a browser with too many cookies is asked to drop them, and gets a page that says so', async () => {
  await using visit = await startVisit();
  for (const count of [12, 180]) {
    await using visitor = new RawClient(await tlsVisit(visit.tlsPort, HOST));
    const page = await ask(visitor, [`Cookie: ${planted(count).join('; ')}`]);
    expect(page).toMatch(/^HTTP\/1\.1 431 [^]*\r\nClear-Site-Data: "cookies"\r\n/);
    expect(page).toContain('Cookie 过多');
    expect(page).toContain('<a class="button" href="">重新打开</a>');
  }
  const browser = visit.overHttp2();
  for (const count of [12, 40]) {
    const { status, headers, body } = await browser.fetch({ ':path': '/', cookie: planted(count) });
    expect([status, headers['clear-site-data']]).toEqual([431, '"cookies"']);
    expect(body.toString()).toContain('Cookie 过多');
  }
  expect((await browser.fetch('/')).body.toString()).toBe('lan');
});

test('a head that is too long for another reason clears no cookies, and over http none are cleared', async () => {
  await using visit = await startVisit();
  const long = `X-Long: ${'x'.repeat(40_000)}`;
  await using visitor = new RawClient(await tlsVisit(visit.tlsPort, HOST));
  const page = await ask(visitor, ['Cookie: a=1', long]);
  expect(page).toMatch(/^HTTP\/1\.1 431 /);
  expect(page).not.toMatch(/clear-site-data/i);
  const { status, headers } = await visit
    .overHttp2()
    .fetch({ ':path': '/', cookie: 'a=1', 'x-long': 'x'.repeat(40_000) });
  expect([status, headers['clear-site-data']]).toEqual([431, undefined]);

  await using plain = openRawClient(visit.httpPort);
  const plainPage = await ask(plain, [`Cookie: ${planted(12).join('; ')}`]);
  expect(plainPage).toContain('Cookie 过多');
  expect(plainPage).not.toMatch(/clear-site-data/i);
});

/** The cookies of a browser after an answer: those that it does not expire for the host alone. */
function keptAfter(answer: string, cookies: readonly string[], path: string): string[] {
  const expired = new Set(
    [...answer.matchAll(/^set-cookie: (\S+)=; Path=(\S+); Max-Age=0\r$/gim)].map(([, ...of]) => of.join()),
  );
  return cookies.filter((cookie) => !expired.has([cookie.split('=')[0], path].join()));
}

test('over http, where browsers ignore that, the page expires the longest cookies, and the next request comes through', async () => {
  await using visit = await startVisit();
  let cookies = ['own=short', ...planted(60)];
  for (let turn = 0; ; turn++) {
    expect(turn).toBeLessThan(3);
    await using visitor = openRawClient(visit.httpPort);
    const page = await ask(visitor, [`Cookie: ${cookies.join('; ')}`, 'Connection: close']);
    if (page.endsWith('lan')) break;
    expect(page).toMatch(/^HTTP\/1\.1 431 /);
    expect(page).toContain(`Set-Cookie: b0=; Path=/; Domain=${HOST}; Max-Age=0\r\n`);
    cookies = keptAfter(page, cookies, '/');
  }
  expect(cookies[0]).toBe('own=short');
});

test('over HTTP/2 the page expires them as well, for a browser that does not trust the certificate', async () => {
  await using visit = await startVisit();
  const { status, headers } = await visit.overHttp2().fetch({ ':path': '/', cookie: planted(30) });
  expect(status).toBe(431);
  expect(headers['set-cookie']).toContain('b0=; Path=/; Max-Age=0');
});

test('a visitor with too many cookies for HTTP/2 is offered HTTP/1.1 the next time, and no other visitor', async () => {
  await using visit = await startVisit();
  const browser = visit.overHttp2();
  await browser.fetch('/');
  const closed = new Promise((resolve) => browser.session.once('close', resolve));
  await browser.fetch({ ':path': '/', cookie: planted(180) });
  await closed;

  const offered = async (localAddress: string) => {
    const options = { ALPNProtocols: ['h2', 'http/1.1'], localAddress };
    return await tlsVisit(visit.tlsPort, HOST, options);
  };
  using other = await offered('127.0.0.2');
  expect(other.alpnProtocol).toBe('h2');
  const again = await offered('127.0.0.1');
  expect(again.alpnProtocol).toBe('http/1.1');
  await using visitor = new RawClient(again);
  expect(await ask(visitor, [`Cookie: ${planted(180).join('; ')}`])).toMatch(/\r\nClear-Site-Data: "cookies"\r\n/);
});
