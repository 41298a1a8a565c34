import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type EndpointKey, errorCatalogue } from '@tongtu/contract';
import {
  callsOnOwned,
  endpointKeys,
  endpointOf,
  makeVictim,
  methodOf,
  pathOf,
  type Victim,
} from './security/objects.ts';
import { trickyUrls } from './security/tricky-urls.ts';
import { ApiClient } from './support/api-client.ts';
import { keepLogOnFailure } from './support/artefacts.ts';
import { request } from './support/http-request.ts';
import { createNeighbour, openDatabase } from './support/neighbour.ts';
import { adminPassword, startProduct, type Product } from './support/product.ts';

let product: Product;
let victim: Victim;
/** The victim's own browser, logged in before there was a passkey to ask for. */
let owner: ApiClient;
/** Logged in, an ordinary account, and confirmed because it has just logged in. */
let attacker: ApiClient;

beforeAll(async () => {
  product = await startProduct({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  const neighbour = await createNeighbour(product);
  owner = new ApiClient(product);
  await owner.openSession(neighbour.account);
  victim = await makeVictim(product, neighbour);
  await using database = await openDatabase(product);
  await database.query(
    `insert into user_account (username, password_hash)
     select 'attacker', password_hash from user_account where username = 'admin'`,
  );
  attacker = new ApiClient(product);
  await attacker.openSession('attacker');
});

afterAll(() => product?.[Symbol.asyncDispose]());

beforeEach(() => keepLogOnFailure('security', product.child));

/** Every call comes from an address of its own, as if through a proxy: limits by address are not what is tested. */
let lastAddress = 0;
function fromElsewhere(): { 'x-forwarded-for': string } {
  lastAddress++;
  return { 'x-forwarded-for': `10.9.${lastAddress >> 8}.${lastAddress & 255}` };
}

const unsafe = endpointKeys().filter((key) => methodOf(key) !== 'GET');
const isRaw = (key: EndpointKey) => endpointOf(key).raw === true;
const anId = (key: EndpointKey) => pathOf(key).replace('{id}', '999999');
const bodyFor = (key: EndpointKey) => (endpointOf(key).body === undefined ? undefined : {});

describe('forged requests', () => {
  test.each(unsafe.filter((key) => !isRaw(key)))('%s needs the token of this very session', async (key) => {
    const stranger = new ApiClient(product);
    const { headers } = await stranger.call('GET', '/api/login_status/', undefined, fromElsewhere());
    const foreign = /csrftoken=([^;]+)/.exec(headers['set-cookie']?.join() ?? '')?.[1];
    expect(foreign).toBeTruthy();
    for (const token of [undefined, '', 'wrong', foreign]) {
      const reply = await attacker.call(methodOf(key), anId(key), bodyFor(key), {
        ...fromElsewhere(),
        'x-csrftoken': token,
      });
      expect({ token, status: reply.status, json: reply.json }).toMatchObject({
        status: 403,
        json: { code: 'session.csrf' },
      });
    }
  });

  test.each(unsafe)('%s refuses other sites', async (key) => {
    for (const site of ['https://evil.example', 'null', `http://nas.localhost:${product.ports.http}`]) {
      const reply = await attacker.call(methodOf(key), anId(key), bodyFor(key), {
        ...fromElsewhere(),
        origin: site,
        'sec-fetch-site': 'cross-site',
      });
      expect(reply).toMatchObject({ status: 403, json: { code: 'request.cross-site' } });
    }
  });
});

describe('without a session', () => {
  const guarded = endpointKeys().filter((key) => endpointOf(key).errors.includes('session.required'));
  // Sending a code needs a session for some purposes only, and looks at the purpose first.
  const always = guarded.filter((key) => key !== 'POST /api/verify/sms/send/');

  test.each(always)('%s answers that a login is required', async (key) => {
    const stranger = new ApiClient(product);
    await stranger.call('GET', '/api/login_status/', undefined, fromElsewhere());
    const reply = await stranger.call(methodOf(key), anId(key), bodyFor(key), fromElsewhere());
    expect(reply).toMatchObject({ status: 401, json: { code: 'session.required' } });
  });
});

describe('what belongs to somebody else', () => {
  /** Bodies that would be taken; a call without one here is sent `{}`, which has to be enough. */
  const bodies: Partial<Record<EndpointKey, unknown>> = {
    'POST /api/user/routers/{id}/check_domain_connection/': { record: 1 },
    'POST /api/user/records/{id}/shares/': { valid_hours: 1 },
    'POST /api/user/records/{id}/members/': { contact: 'me@example.com' },
    'PATCH /api/user/passkeys/{id}/': { name: '我的' },
    'PATCH /api/user/verifications/{id}/': { extend_hours: 24 },
  };

  test('is found by no call, and looks as if it were not there', async () => {
    for (const { key, path } of callsOnOwned(victim)) {
      const body = bodies[key] ?? bodyFor(key);
      const theirs = await attacker.call(methodOf(key), path, body, fromElsewhere());
      const nobodys = await attacker.call(methodOf(key), anId(key), body, fromElsewhere());
      expect({ key, status: theirs.status, json: theirs.json }).toMatchObject({ status: 404 });
      const { code } = theirs.json as { code: keyof typeof errorCatalogue };
      expect({ key, json: nobodys.json }).toMatchObject({ json: { code } });
      expect(endpointOf(key).errors, key).toContain(code);
    }
  });

  test('is listed by no call', async () => {
    const lists = endpointKeys().filter((key) => methodOf(key) === 'GET' && !key.includes('{id}'));
    for (const key of lists) {
      const reply = await attacker.call('GET', pathOf(key), undefined, fromElsewhere());
      expect({ key, text: reply.text }).not.toMatchObject({
        text: expect.stringMatching(/next-door|邻居的设备|neighbour/),
      });
    }
  });

  test('is still there and unchanged after all this', async () => {
    const [device] = await owner.devices();
    expect(device).toMatchObject({ id: victim.deviceId, name: '邻居的设备', mappings: [{ id: victim.mappingId }] });
    await using database = await openDatabase(product);
    for (const [table, name] of [
      ['verification', 'verifications'],
      ['share_link', 'shares'],
      ['mapping_member', 'members'],
      ['passkey', 'passkeys'],
      ['session', 'sessions'],
      ['api_token', 'api_tokens'],
    ] as const) {
      const { rowCount } = await database.query(`select 1 from ${table} where id = $1`, [victim.ids[name]]);
      expect({ table, rowCount }).toEqual({ table, rowCount: 1 });
    }
  });

  test('staff is what an ordinary account is not', async () => {
    const staffOnly = endpointKeys().filter((key) => endpointOf(key).errors.includes('session.forbidden'));
    expect(staffOnly.length).toBeGreaterThan(3);
    const announcement = { title: 't', detail: 'd', url: '', display: true, starts_at: null, ends_at: null };
    for (const key of staffOnly) {
      const change = key.startsWith('PATCH') ? { ...announcement, revision: 1 } : announcement;
      const body = bodyFor(key) && change;
      const reply = await attacker.call(methodOf(key), anId(key), body, fromElsewhere());
      expect({ key, ...reply }).toMatchObject({ key, status: 403, json: { code: 'session.forbidden' } });
    }
  });
});

describe('mass assignment', () => {
  const planted = { is_staff: true, is_superuser: true, is_promoter: true, is_payed: true, user_id: 1, userId: 1 };

  test.each(unsafe.filter((key) => endpointOf(key).body !== undefined))(
    '%s takes no field it does not name',
    async (key) => {
      const reply = await attacker.call(methodOf(key), anId(key), planted, fromElsewhere());
      expect(reply.status).toBe(422);
    },
  );

  test('nobody has become anything', async () => {
    await using database = await openDatabase(product);
    const { rows } = await database.query<{ username: string }>(
      'select username from user_account where is_staff or is_superuser or is_promoter',
    );
    expect(rows).toEqual([{ username: 'admin' }]);
  });
});

describe('cookies and headers', () => {
  test('a session id that somebody planted is not taken over by the login', async () => {
    const planted = 'A'.repeat(43);
    const browser = new ApiClient(product);
    await browser.call('GET', '/api/login_status/');
    browser.plant('sessionid', planted);
    const reply = await browser.call(
      'POST',
      '/custom/login/',
      { account: 'attacker', password: adminPassword },
      {
        ...fromElsewhere(),
      },
    );
    expect(reply.status).toBe(200);
    const cookie = reply.headers['set-cookie']?.find((line) => line.startsWith('sessionid='));
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=Lax/i);
    expect(cookie).toMatch(/; Path=\//i);
    expect(cookie).not.toContain(planted);
    expect(cookie).not.toMatch(/; Domain=/i);
    const thief = new ApiClient(product);
    thief.plant('sessionid', planted);
    expect((await thief.call('GET', '/api/login_status/')).json).toMatchObject({ logged_in: false });
  });

  test('over https the cookies are for https alone', async () => {
    const browser = new ApiClient(product);
    const https = { 'x-forwarded-proto': 'https', origin: `https://localhost:${product.ports.http}` };
    const first = await browser.call('GET', '/api/login_status/', undefined, { ...fromElsewhere(), ...https });
    const reply = await browser.call(
      'POST',
      '/custom/login/',
      { account: 'attacker', password: adminPassword },
      {
        ...fromElsewhere(),
        ...https,
      },
    );
    const cookies = [...(first.headers['set-cookie'] ?? []), ...(reply.headers['set-cookie'] ?? [])];
    expect(cookies.length).toBeGreaterThanOrEqual(3);
    for (const cookie of cookies) expect(cookie).toMatch(/^__Host-.*; Path=\/;(.*;)? Secure/i);
  });

  test('a poisoned Host or X-Forwarded-Host reaches no answer', async () => {
    for (const path of ['/api/profile/', '/api/site/config/', '/install.sh', '/api/openapi.json', '/']) {
      const forwarded = {
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example',
        'x-host': 'evil.example',
      };
      const reply = await attacker.call('GET', path, undefined, { ...fromElsewhere(), ...forwarded });
      expect({ path, text: reply.text }).not.toMatchObject({ text: expect.stringContaining('evil.example') });
      expect(JSON.stringify(reply.headers)).not.toContain('evil.example');
    }
    const foreign = await request({ port: product.ports.http, path: '/api/site/config/', host: 'evil.example' });
    expect([404, 421]).toContain(foreign.status);
  });

  test('a line break in a value makes no header', async () => {
    const paths = [
      '/custom/check/?url=http://localhost/%0d%0aSet-Cookie:%20planted=1',
      '/custom/logout?next=%0d%0aSet-Cookie:%20planted=1',
      '/%0d%0aSet-Cookie:%20planted=1',
    ];
    for (const path of paths) {
      const reply = await new ApiClient(product).call('GET', path, undefined, fromElsewhere());
      expect(JSON.stringify(reply.headers)).not.toMatch(/planted=1/);
    }
  });
});

describe('addresses that lead elsewhere', () => {
  test('are never what a check sends a browser to', async () => {
    const own = `next-door.localhost:${product.ports.http}`;
    const urls = trickyUrls(own);
    expect(urls.length).toBeGreaterThan(200);
    for (const url of urls) {
      const path = `/custom/check/?url=${encodeURIComponent(url)}`;
      const reply = await owner.call('GET', path, undefined, fromElsewhere());
      const { redirect } = reply.json as { redirect?: string };
      if (redirect === undefined) continue;
      const { hostname, protocol } = new URL(redirect);
      expect({ url, protocol }).toMatchObject({ protocol: expect.stringMatching(/^https?:$/) });
      expect({ url, hostname }).toMatchObject({ hostname: expect.stringMatching(/(^|\.)localhost$/) });
    }
  });

  test('are never where a verified visitor goes on', async () => {
    const host = `next-door.localhost:${product.ports.http}`;
    const { json } = await owner.call('GET', `/custom/check/?url=${encodeURIComponent(`http://${host}/`)}`);
    const ticket = new URL((json as { redirect: string }).redirect);
    const port = product.ports.http;
    await expect.poll(async () => (await request({ port, host, path: '/' })).status).toBe(403); // the relay knows it
    const verified = await request({ port, host, path: ticket.pathname + ticket.search });
    const cookie = verified.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    expect(cookie).toMatch(/^tongtu_visitor=/);
    for (const next of trickyUrls(host)) {
      const path = `/.tongtu/verify?ticket=used&next=${encodeURIComponent(next)}`;
      const reply = await request({ port, host, path, headers: { cookie } });
      expect({ next, status: reply.status }).toEqual({ next, status: 302 });
      const location = new URL(reply.headers.location ?? '', `http://${host}/`);
      expect({ next, host: location.host }).toEqual({ next, host });
      expect(reply.headers.location).toMatch(/^\/(?![/\\])/);
      expect(reply.headers['set-cookie'] ?? []).toEqual([]);
    }
  });
});

describe('who has an account', () => {
  const SAMPLES = 12;

  /** Milliseconds for each of two kinds of calls, taken in turns. */
  async function timeInTurns(first: (n: number) => Promise<unknown>, second: (n: number) => Promise<unknown>) {
    const times: [number[], number[]] = [[], []];
    for (let n = 0; n < SAMPLES; n++) {
      for (const [index, call] of [first, second].entries()) {
        const startedAtMs = performance.now();
        await call(n);
        times[index]?.push(performance.now() - startedAtMs);
      }
    }
    return times.map((list) => list.toSorted((a, b) => a - b)[Math.floor(SAMPLES / 2)] ?? 0) as [number, number];
  }

  test('is told neither by the words nor by the time of a failed login', async () => {
    await using database = await openDatabase(product);
    await database.query(
      `insert into user_account (username, password_hash)
       select 'known-' || n, password_hash from user_account, generate_series(0, 99) n where username = 'admin'`,
    );
    const answers = new Set<string>();
    async function fail(account: string): Promise<void> {
      const stranger = new ApiClient(product);
      await stranger.call('GET', '/api/login_status/', undefined, fromElsewhere());
      const body = { account, password: 'not the password' };
      const { status, json } = await stranger.call('POST', '/custom/login/', body, fromElsewhere());
      const { request_id: _id, ...problem } = json as { request_id: string };
      answers.add(JSON.stringify({ status, problem }));
    }
    await fail('known-99');

    const [known, unknown] = await timeInTurns(
      async (n) => await fail(`known-${n}`),
      async (n) => await fail(`nobody-${n}`),
    );

    expect([...answers]).toHaveLength(1);
    // An account whose password is not even looked at answers in a tenth of the time.
    expect(Math.max(known, unknown) / Math.min(known, unknown)).toBeLessThan(2);
  });

  test.each(['/api/verify/password/reset/', '/api/verify/login/phone/'])('is not told by %s', async (path) => {
    await using database = await openDatabase(product);
    await database.query(
      `update user_account set phone_number = '+8613800000001', phone_bound_at = now() where username = 'known-99'`,
    );
    const answers = new Set<string>();
    for (const phone of ['13800000001', '13900000002']) {
      const stranger = new ApiClient(product);
      await stranger.call('GET', '/api/login_status/', undefined, fromElsewhere());
      const body = path.includes('reset') ? { new_password: 'a new password' } : { accepted_terms: true };
      const reply = await stranger.call('POST', path, { phone, code: '123456', ...body }, fromElsewhere());
      const { request_id: _id, ...problem } = reply.json as { request_id: string };
      answers.add(JSON.stringify({ status: reply.status, problem }));
    }
    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).toMatch(/code\.(wrong|expired)/);
  });
});
