import { createHmac } from 'node:crypto';
import type { Route } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { RelayLimits } from '../config/relay-limits.ts';
import { openRawClient } from '../testing/clients/raw-client.ts';
import {
  createAgentKey,
  startLanService,
  startTestRelay,
  testDevice,
  type TestRelayChanges,
} from '../testing/start-test-relay.ts';

const browser = 'Accept: text/html\r\n';
const ticketOf = (name: string) => name.padEnd(43, '_');
const good = `/.tongtu/verify?ticket=${ticketOf('good')}`;

/** A relay with two mappings for verified visitors, and a server that redeems the ticket `good` once. */
async function startGate(limits: Partial<RelayLimits> = {}, changes: TestRelayChanges = {}) {
  const stack = new AsyncDisposableStack();
  const t = stack.use(await startTestRelay(limits, undefined, changes));
  const lan = stack.use(
    await startLanService((request, response) =>
      response.end(`lan:${request.url} cookie:${request.headers.cookie ?? 'none'}`),
    ),
  );
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': lan.port, 'cam.localhost': lan.port }, { policy: 'owner' });
  await t.connectDevice(device, key);
  const mappingIds = new Map(device.routes.map((route) => [route.host, route.mappingId]));
  let isUsed = false;
  t.server.handlers.redeem = ({ ticket, host }) => {
    const mappingId = mappingIds.get(host);
    if (ticket !== ticketOf('good') || isUsed || mappingId === undefined) return 'gate.ticket-invalid';
    isUsed = true;
    return { verificationId: 5, mappingId, expiresAtMs: Date.now() + 3_600_000 };
  };
  return {
    t,
    mappingIds,
    /** Resolves when the relay has applied it. */
    async change(route: Partial<Route>): Promise<void> {
      t.server.put({ ...device, routes: device.routes.map((known) => ({ ...known, ...route })) });
      const later = createAgentKey();
      await t.connectDevice(testDevice(later, {}), later);
    },
    async get(path: string, host = 'nas.localhost', headers = browser) {
      await using visitor = openRawClient(t.relay.httpPort);
      visitor.send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}Connection: close\r\n\r\n`);
      return Buffer.from(await visitor.untilEnd(), 'latin1').toString();
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test('an anonymous client is sent to the verification, and nothing reaches the device', async () => {
  await using gate = await startGate();
  const page = await gate.get('/x?y=1', 'nas.localhost:8080');
  expect(page).toMatch(/^HTTP\/1\.1 403 Forbidden/);
  expect(page).toContain('请先通过身份验证');
  expect(page).toContain('前往验证');
  expect(page).toContain('127.0.0.1');
  const target = `http://localhost:8080/custom/enter?url=${encodeURIComponent('http://nas.localhost:8080/x?y=1')}`;
  expect(page).toContain(`href="${target}"`);
  expect(page).toContain(`<meta http-equiv="refresh" content="1;url=${target}">`);
  expect(page).not.toContain('lan:');
});

const visit = `${browser}Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n`;

test.each(['owner', 'password'] as const)(
  'a top-level visit without proof is redirected to the console: %s',
  async (policy) => {
    await using gate = await startGate();
    await gate.change({ policy });
    const reply = await gate.get('/x?y=1', 'nas.localhost:8080', visit);
    const target = encodeURIComponent('http://nas.localhost:8080/x?y=1');
    expect(reply).toMatch(/^HTTP\/1\.1 302 Found/);
    expect(reply).toContain(`Location: http://localhost:8080/custom/enter?url=${target}\r\n`);
    expect(reply).toContain('Cache-Control: no-store\r\n');
    expect(reply).toContain('Referrer-Policy: no-referrer\r\n');
    expect(reply).not.toContain('lan:');
  },
);

test.each([
  ['in a frame', 'GET', visit.replace('document', 'iframe')],
  ['for an image', 'GET', visit.replace('navigate', 'no-cors').replace('document', 'image')],
  ['of a script', 'GET', visit.replace('navigate', 'cors').replace('document', 'empty')],
  ['that is a prefetch', 'GET', `${visit}Sec-Purpose: prefetch\r\nReferer: http://nas.localhost/\r\n`],
  ['that is a prerender', 'GET', `${visit}Sec-Purpose: prefetch;prerender\r\nReferer: http://nas.localhost/\r\n`],
  ['that sends a form', 'POST', `${visit}Origin: http://nas.localhost\r\nContent-Length: 0\r\n`],
  ['for the head alone', 'HEAD', visit],
  ['of a browser that does not say what it loads', 'GET', browser],
])('a request %s is refused and not redirected', async (_name, method, headers) => {
  await using gate = await startGate();
  await using visitor = openRawClient(gate.t.relay.httpPort);
  visitor.send(`${method} /x HTTP/1.1\r\nHost: nas.localhost\r\n${headers}Connection: close\r\n\r\n`);
  const reply = await visitor.untilEnd();
  expect(reply).toMatch(/^HTTP\/1\.1 403 /);
  expect(reply).not.toMatch(/^Location:/im);
});

test('a visit whose address is too long for the console, or to a closed mapping, gets the page', async () => {
  await using gate = await startGate();
  expect(await gate.get(`/${'x'.repeat(4096)}`, 'nas.localhost', visit)).toMatch(/^HTTP\/1\.1 403 /);
  await gate.change({ policy: 'closed' });
  expect(await gate.get('/x', 'nas.localhost', visit)).toMatch(/^HTTP\/1\.1 403 /);
});

test('a request that is no page view gets a short answer, not a page', async () => {
  await using gate = await startGate();
  const api = await gate.get('/api', 'nas.localhost', 'Accept: application/json\r\n');
  expect(api).toMatch(/^HTTP\/1\.1 403 /);
  expect(JSON.parse(api.slice(api.indexOf('\r\n\r\n')))).toMatchObject({ status: 403, code: 'relay.verify' });
  const background = await gate.get('/x', 'nas.localhost', `${browser}Sec-Fetch-Mode: cors\r\n`);
  expect(background).toMatch(/Content-Type: text\/plain/);
});

test('a ticket lets one browser in, on this host only, and its cookie stays at the relay', async () => {
  await using gate = await startGate();
  const verified = await gate.get(`${good}&next=%2Fx%3Fy%3D1`);
  expect(verified).toMatch(/^HTTP\/1\.1 302 Found\r\nLocation: \/x\?y=1\r\n/);
  const cookie = /Set-Cookie: (tongtu_visitor=[^;]+); Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax\r\n/.exec(
    verified,
  )?.[1];
  expect(cookie).toBeDefined();
  expect(await gate.get('/x', 'nas.localhost', `${browser}Cookie: a=1; ${cookie}\r\n`)).toMatch(/lan:\/x cookie:a=1$/);
  expect(await gate.get('/x', 'cam.localhost', `${browser}Cookie: ${cookie}\r\n`)).toMatch(/^HTTP\/1\.1 403 /);
  expect(await gate.get('/x', 'nas.localhost', `${browser}Cookie: ${cookie}0\r\n`)).toMatch(/^HTTP\/1\.1 403 /);
  const request = await gate.t.server.waitFor('redeem_ticket');
  expect(request).toMatchObject({ ticket: ticketOf('good'), host: 'nas.localhost', visitorIp: '127.0.0.1' });
  expect(request.verificationId).toBeUndefined();
});

test('with a ticket the server gets the verification that the browser has, if its cookie is valid', async () => {
  await using gate = await startGate();
  const reported: Array<number | undefined> = [];
  const { redeem } = gate.t.server.handlers;
  gate.t.server.handlers.redeem = (request) => {
    reported.push(request.verificationId);
    return redeem(request);
  };
  const cookie = /Set-Cookie: (tongtu_visitor=[^;]+)/.exec(await gate.get(good))?.[1] ?? '';
  await gate.get(`/.tongtu/verify?ticket=${ticketOf('next')}`, 'nas.localhost', `Cookie: ${cookie}\r\n`);
  await gate.get(`/.tongtu/verify?ticket=${ticketOf('next')}`, 'nas.localhost', `Cookie: ${cookie}0\r\n`);
  expect(reported).toEqual([undefined, 5, undefined]);
});

test('a ticket can be redeemed once; the browser that redeemed it is redirected', async () => {
  await using gate = await startGate();
  const first = await gate.get(good);
  const cookie = /Set-Cookie: (tongtu_visitor=[^;]+)/.exec(first)?.[1] ?? '';
  const second = await gate.get(good);
  expect(second).toMatch(/^HTTP\/1\.1 403 /);
  expect(second).toContain('验证已过期或已被使用');
  expect(second).not.toContain('Set-Cookie');
  expect(await gate.get(good, 'nas.localhost', `Cookie: ${cookie}\r\n`)).toMatch(/^HTTP\/1\.1 302 /);
});

test('a ticket for another mapping is refused', async () => {
  await using gate = await startGate();
  const other = gate.mappingIds.get('cam.localhost') ?? 0;
  gate.t.server.handlers.redeem = () => ({ verificationId: 5, mappingId: other, expiresAtMs: Date.now() + 1000 });
  expect(await gate.get(good)).toMatch(/^HTTP\/1\.1 403 /);
});

test.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/x%0d%0aSet-Cookie:a=1'])(
  'the redirect after a ticket never leaves the host: %s',
  async (next) => {
    await using gate = await startGate();
    expect(await gate.get(`${good}&next=${encodeURIComponent(decodeURIComponent(next))}`)).toMatch(
      /\r\nLocation: \/\r\n/,
    );
  },
);

test('a malformed ticket is refused without asking the server', async () => {
  await using gate = await startGate();
  for (const ticket of ['', 'good', `${ticketOf('good')}_`, '%41'.repeat(44), ticketOf('g!')]) {
    const page = await gate.get(`/.tongtu/verify?ticket=${ticket}`);
    expect(page).toMatch(/^HTTP\/1\.1 403 /);
    expect(page).toContain('验证未通过');
  }
  expect(gate.t.server.received.some(({ type }) => type === 'redeem_ticket')).toBe(false);
});

test.each(['request.too-many', 'server.internal'] as const)(
  'while the server answers %s the visitor is asked to wait, and the same ticket works a moment later',
  async (code) => {
    await using gate = await startGate();
    const { redeem } = gate.t.server.handlers;
    gate.t.server.handlers.redeem = () => code;
    const page = await gate.get(good);
    expect(page).toMatch(/^HTTP\/1\.1 503 [^]*\r\nRetry-After: \d+\r\n/);
    expect(page).toContain('暂时无法验证');
    expect(page).toMatch(/<meta http-equiv="refresh" content="\d+">/);
    gate.t.server.handlers.redeem = redeem;
    expect(await gate.get(good)).toMatch(/^HTTP\/1\.1 302 /);
  },
);

test('a visitor who was let in too often sees a page that says so, and that others are not affected', async () => {
  await using gate = await startGate();
  gate.t.server.handlers.redeem = () => 'gate.too-many-proofs';
  const page = await gate.get(good);
  expect(page).toMatch(/^HTTP\/1\.1 429 /);
  expect(page).toContain('请允许它保存 Cookie');
  expect(page).not.toContain('http-equiv="refresh"');
});

test('one address has a limit of tickets that are redeemed at a time, and other addresses do not wait', async () => {
  await using gate = await startGate({ maxRedemptionsPerVisitor: 2 }, { trustedProxies: ['127.0.0.1'] });
  const { t } = gate;
  const { promise: later, resolve: answer } = Promise.withResolvers<'gate.ticket-invalid'>();
  const { redeem } = t.server.handlers;
  t.server.handlers.redeem = () => later;
  const from = async (address: string, path: string) =>
    await gate.get(path, 'nas.localhost', `${browser}X-Forwarded-For: ${address}\r\n`);
  const junk = (name: string) => `/.tongtu/verify?ticket=${ticketOf(name)}`;
  const open = ['a', 'b'].map((name, index) => from(`2001:db8::${index}`, junk(name)));
  for (const name of ['a', 'b']) await t.server.waitFor('redeem_ticket', ({ ticket }) => ticket === ticketOf(name));

  expect(await from('2001:db8::9', junk('c'))).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After/);
  t.server.handlers.redeem = redeem;
  expect(await from('192.0.2.1', good)).toMatch(/^HTTP\/1\.1 302 /);

  answer('gate.ticket-invalid');
  for (const page of await Promise.all(open)) expect(page).toMatch(/^HTTP\/1\.1 403 /);
  expect(await from('2001:db8::9', junk('c'))).toMatch(/^HTTP\/1\.1 403 /);
});

test('while the server is away no new visitor is let in, and verified visitors stay verified', async () => {
  await using gate = await startGate();
  const cookie = /Set-Cookie: (tongtu_visitor=[^;]+)/.exec(await gate.get(good))?.[1] ?? '';
  await gate.t.server[Symbol.asyncDispose]();
  const page = await gate.get(`/.tongtu/verify?ticket=${ticketOf('other')}`);
  expect(page).toMatch(/^HTTP\/1\.1 503 /);
  expect(page).toMatch(/Retry-After: \d+/);
  expect(await gate.get('/x', 'nas.localhost', `Cookie: ${cookie}\r\n`)).toContain('lan:/x');
});

test('an upgrade and a request with a body need a verification, too', async () => {
  await using gate = await startGate();
  await using visitor = openRawClient(gate.t.relay.httpPort);
  visitor.send('GET /ws HTTP/1.1\r\nHost: nas.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  expect(await visitor.until(/\r\n\r\n./)).toMatch(/^HTTP\/1\.1 403 /);
  visitor.clear();
  visitor.send('POST / HTTP/1.1\r\nHost: nas.localhost\r\nContent-Length: 5\r\n\r\nhello');
  expect(await visitor.untilEnd()).toMatch(/^HTTP\/1\.1 403 [^]*Connection: close/);
});

test('a public mapping that becomes one for verified visitors cuts its open connections', async () => {
  await using gate = await startGate();
  const key = createAgentKey();
  await using lan = await startLanService((_request, response) => void response.write('endless'));
  const device = testDevice(key, { 'open.localhost': lan.port });
  await gate.t.connectDevice(device, key);
  await using visitor = openRawClient(gate.t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: open.localhost\r\n\r\n');
  await visitor.until(/endless/);
  gate.t.server.put({ ...device, routes: device.routes.map((route) => ({ ...route, policy: 'owner' })) });
  await visitor.untilEnd();
  expect(await gate.get('/', 'open.localhost')).toMatch(/^HTTP\/1\.1 403 /);
});

test('the cookie outlives its proof in the browser, so that an owner may extend the proof', async () => {
  await using gate = await startGate();
  const id = gate.mappingIds.get('nas.localhost') ?? 0;
  gate.t.server.handlers.redeem = () => ({ verificationId: 5, mappingId: id, expiresAtMs: Date.now() - 1 });
  const verified = await gate.get(good);
  expect(verified).toContain(`Max-Age=${400 * 86_400};`);
  const headers = `${browser}Cookie: ${/Set-Cookie: ([^;]+)/.exec(verified)?.[1]}\r\n`;
  expect(await gate.get('/x', 'nas.localhost', headers)).toMatch(/^HTTP\/1\.1 403 /);

  const extendedVerifications = [{ verificationId: 5, expiresAtMs: Date.now() + 3_600_000 }];
  await gate.change({ extendedVerifications });
  expect(await gate.get('/x', 'nas.localhost', headers)).toContain('lan:/x');

  await gate.change({ revokedVerifications: [5] });
  expect(await gate.get('/x', 'nas.localhost', headers)).toMatch(/^HTTP\/1\.1 403 /);
});

test('a mapping with a password redirects to the form that asks for it; programs read what the owner can do', async () => {
  await using gate = await startGate();
  await gate.change({ policy: 'password' });

  const page = await gate.get('/x');
  expect(page).toMatch(/^HTTP\/1\.1 403 /);
  expect(page).toContain('请输入访问密码');
  expect(page).toContain(`/custom/enter?url=${encodeURIComponent('http://nas.localhost/x')}`);
  const api = await gate.get('/x', 'nas.localhost', 'Accept: application/json\r\n');
  expect(JSON.parse(api.slice(api.indexOf('\r\n\r\n')))).toMatchObject({
    code: 'relay.password',
    detail: expect.stringContaining('放行程序'),
  });
});

test('a closed mapping shows its page to verified visitors, too', async () => {
  await using gate = await startGate();
  const cookie = /Set-Cookie: (tongtu_visitor=[^;]+)/.exec(await gate.get(good))?.[1] ?? '';
  await gate.change({ policy: 'closed' });

  const page = await gate.get('/x', 'nas.localhost', `${browser}Cookie: ${cookie}\r\n`);
  expect(page).toMatch(/^HTTP\/1\.1 403 /);
  expect(page).toContain('该地址已禁止访问');
});

test.each(['device', 'mapping'] as const)(
  'a visitor who waits for an answer while the %s is deleted reads that there is no such address',
  async (deleted) => {
    await using t = await startTestRelay();
    const asked = Promise.withResolvers<void>();
    await using lan = await startLanService(() => asked.resolve());
    const key = createAgentKey();
    const device = testDevice(key, { 'nas.localhost': lan.port });
    await t.connectDevice(device, key);
    await using visitor = openRawClient(t.relay.httpPort);
    visitor.send(`GET / HTTP/1.1\r\nHost: nas.localhost\r\n${browser}Connection: close\r\n\r\n`);
    await asked.promise;

    if (deleted === 'device') t.server.remove(device.deviceId);
    else t.server.put({ ...device, routes: [] });

    const page = Buffer.from(await visitor.untilEnd(), 'latin1').toString();
    expect(page).toMatch(/^HTTP\/1\.1 404 /);
    expect(page).toContain('没有这个地址');
  },
);

test('the server is answered with a code of the name that it asked for, and nothing else is', async () => {
  await using gate = await startGate();
  const nonce = 'n'.repeat(43);
  const codeOf = (host: string) =>
    createHmac('sha256', gate.t.server.gateKey).update(`tongtu domain check v1\n${host}\n${nonce}`).digest('base64url');
  const bodyOf = (answer: string) => answer.split('\r\n\r\n')[1];

  await gate.change({ policy: 'closed' });
  expect(bodyOf(await gate.get(`/.tongtu/here?nonce=${nonce}`))).toBe(codeOf('nas.localhost'));
  expect(bodyOf(await gate.get(`/.tongtu/here?nonce=${nonce}`, 'cam.localhost:8080'))).toBe(codeOf('cam.localhost'));
  for (const target of [`/.tongtu/here?nonce=${nonce}n`, '/.tongtu/here', `/.tongtu/here?nonce=${nonce}&x=1`])
    expect(await gate.get(target)).toMatch(/^HTTP\/1\.1 404 /);
  expect(await gate.get(`/.tongtu/here?nonce=${nonce}`, 'other.localhost')).not.toContain(codeOf('other.localhost'));
});
