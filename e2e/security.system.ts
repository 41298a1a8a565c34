import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { must } from '@tongtu/base';
import { type EndpointKey, errorCatalogue } from '@tongtu/contract';
import {
  confirmLogins,
  createManyPeople,
  endConfirmations,
  givePhoneNumber,
  rowExists,
  listPrivileged,
} from '@tongtu/server/testing/installation';
import {
  callsOnOwned,
  callsThatName,
  endpointKeys,
  keysWithoutBilling,
  endpointOf,
  makeVictim,
  methodOf,
  objectsOf,
  pathOf,
  schemaOf,
  victimsMark,
  type NamingCall,
  type Victim,
} from './security/objects.ts';
import { trickyUrls } from './security/tricky-urls.ts';
import { ApiClient, type ApiReply } from './support/clients/api-client.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { request } from './support/clients/http-request.ts';
import { inDatabase, openDatabase } from './support/product/database.ts';
import { createOtherTenant, type OtherTenant } from './support/services/other-tenant.ts';
import { findServerPid, processorTime } from './support/product/processes.ts';
import { adminPassword, startProduct, type Product } from './support/product/product.ts';

let product: Product;
let victim: Victim;
/** The victim's browser. It logged in before the account had a passkey. */
let owner: ApiClient;
/** A logged-in, ordinary account. Its confirmation is still valid, because it has just logged in. */
let attacker: ApiClient;
/** The attacker's own device and mapping. */
let own: OtherTenant;

beforeAll(async () => {
  product = await startProduct({ args: ['--no-local-agent'], env: { TRUSTED_PROXIES: '127.0.0.1' } });
  const otherTenant = await createOtherTenant(product);
  owner = new ApiClient(product);
  await openComplete(owner, otherTenant.account);
  victim = await makeVictim(product, otherTenant);
  own = await createOtherTenant(product, { account: 'attacker', prefix: 'attackers-own' });
  attacker = new ApiClient(product);
  await openComplete(attacker, own.account);
});

/** Logs in to an account with an account token, like every account that the product creates. */
async function openComplete(client: ApiClient, account: string): Promise<void> {
  await client.openSession(account);
  const reply = await client.call('PATCH', '/custom/profile/', { rotate_token: true });
  if (reply.status !== 200) throw new Error(`the token was answered ${reply.status}: ${reply.text}`);
}

afterAll(() => product?.[Symbol.asyncDispose]());

beforeEach(() => saveLogOnFailure('security', product.child));

/**
 * Each call has another client address, as if it came through a proxy, because limits by address are not tested here.
 */
let lastAddress = 0;
function fromElsewhere(): { 'x-forwarded-for': string } {
  lastAddress++;
  return { 'x-forwarded-for': `10.9.${lastAddress >> 8}.${lastAddress & 255}` };
}

const unsafe = endpointKeys().filter((key) => methodOf(key) !== 'GET');
const isRaw = (key: EndpointKey) => endpointOf(key).raw !== undefined;
const anId = (key: EndpointKey) => pathOf(key).replaceAll(/\{(id|member)\}/g, '999999');
const bodyFor = (key: EndpointKey) => (endpointOf(key).body === undefined ? undefined : {});

describe('forged requests', () => {
  test.each(unsafe.filter((key) => !isRaw(key)))('%s needs the token of this very session', async (key) => {
    const anonymous = new ApiClient(product);
    const { headers } = await anonymous.call('GET', '/api/login_status/', undefined, fromElsewhere());
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
  // Sending a code needs a session for some purposes only, and the purpose is checked first.
  const always = guarded.filter((key) => key !== 'POST /api/verify/sms/send/');

  test.each(always)('%s answers that a login is required', async (key) => {
    const anonymous = new ApiClient(product);
    await anonymous.call('GET', '/api/login_status/', undefined, fromElsewhere());
    const reply = await anonymous.call(methodOf(key), anId(key), bodyFor(key), fromElsewhere());
    expect(reply).toMatchObject({ status: 401, json: { code: 'session.required' } });
  });
});

describe('without proof, where two-step login is on', () => {
  const guarded = endpointKeys().filter(
    (key) => [true, 'with-factor'].includes(endpointOf(key).confirmed ?? false) && endpointOf(key).role === undefined,
  );

  beforeAll(async () => {
    await inDatabase(product, async (db) => await endConfirmations(db, victim.userId));
  });

  test.each(guarded)('%s answers that a confirmation is required', async (key) => {
    const reply = await owner.call(methodOf(key), anId(key), bodyFor(key), fromElsewhere());
    expect(reply).toMatchObject({ status: 403, json: { code: 'session.confirm-required' } });
  });
});

describe('what belongs to somebody else', () => {
  /** Valid bodies. Other calls get `{}`, which must be sufficient. */
  const bodies: Partial<Record<EndpointKey, unknown>> = {
    'POST /api/user/routers/{id}/check_domain_connection/': { record: 1 },
    'PATCH /api/user/routers/{id}/lan/': { enabled: true },
    'POST /api/user/routers/{id}/mapping_file/': { yaml: '', dry_run: true },
    'POST /api/user/routers/{id}/adoption/': { router: 1 },
    'POST /api/user/records/{id}/shares/': { valid_hours: 1 },
    'POST /api/user/records/{id}/members/': { contact: 'me@example.com' },
    'POST /api/user/cloud_apps/{id}/members/': { account: 'attacker' },
    'PATCH /api/user/passkeys/{id}/': { name: '我的' },
    'PATCH /api/user/verifications/{id}/': { extend_hours: 24 },
    'POST /api/user/access_requests/{id}/allow/': { valid_hours: null },
    'PATCH /api/user/shared_with_me/{id}/': { pinned: true },
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

  test('cannot be named in a query or a body either', async () => {
    const calls = callsThatName(victim);
    expect(calls.map(({ key, field }) => `${key} ${field}`)).toEqual(
      expect.arrayContaining(['GET /custom/router_info/ uid', 'POST /api/user/records/ router']),
    );
    for (const call of calls) {
      const theirs = await name(attacker, call, call.victims);
      const nobodys = await name(attacker, call, call.nobodys);
      if (theirs.status === 200) {
        // A filter that matches none of the caller's objects gives an empty list, but a result for the owner.
        const shown = [theirs, nobodys, await name(owner, call, call.victims)].map(({ text }) =>
          victimsMark.test(text),
        );
        expect({ call, json: theirs.json, shown }).toEqual({ call, json: nobodys.json, shown: [false, false, true] });
        continue;
      }
      expect({ call, ...theirs }).toMatchObject({ call, status: 404 });
      const { code } = theirs.json as { code: keyof typeof errorCatalogue };
      expect({ call, json: nobodys.json }).toMatchObject({ call, json: { code } });
      expect(endpointOf(call.key).errors, call.key).toContain(code);
    }
  });

  const otherFields: Partial<Record<EndpointKey, object>> = {
    'POST /api/user/records/': { kind: 'http', prefix: 'mine', target: 'http://127.0.0.1:9' },
    'POST /api/user/cloud_apps/': { kind: 'ssh', name: 'mine', host: '127.0.0.1' },
  };

  /** Makes the call with `value` in one field and valid values in the others. */
  async function name(who: ApiClient, { key, part, field }: NamingCall, value: unknown): Promise<ApiReply> {
    const path = pathOf(key).replace('{id}', String(own.deviceId));
    if (part === 'query') return await who.call('GET', `${path}?${field}=${String(value)}`, undefined, fromElsewhere());
    return await who.call(methodOf(key), path, { ...otherFields[key], [field]: value }, fromElsewhere());
  }

  /** Calls that need a query. */
  const queries: Partial<Record<EndpointKey, string>> = {
    'GET /custom/router_info/': '?domain=attackers-own.localhost',
    'GET /api/router_info/': '?domain=attackers-own.localhost',
    'GET /custom/check/': '?url=http://attackers-own.localhost:{port}/',
    'GET /captcha/': '?purpose=login',
    'GET /api/verify/captcha/init/': '?purpose=login',
    'GET /api/user/device_attempts/': '?within_seconds=60',
    'GET /api/agent/binding/': `?code=${'c'.repeat(22)}`,
  };
  /** Calls that answer everybody alike, or with nothing about an account's objects. */
  const saysNothingOfOwners: EndpointKey[] = [
    'GET /api/login_status/',
    'GET /api/user/token-sign/',
    'GET /custom/router_info/',
    'GET /api/router_info/',
    'GET /api/user/lost_routers/', // none is lost here; device-adoption.http.test.ts tests whose are listed
    'GET /api/user/current_ip/',
    'GET /api/user/current_network/',
    'GET /api/user/servers/',
    'GET /custom/check/',
    'GET /api/site/config/',
    'GET /api/agent/bootstrap/',
    'GET /api/agent/binding/',
    'GET /api/announcement/announcements/',
    'GET /api/site/promoters/',
    'GET /api/site/community/',
    'GET /api/site/players/get_ip_list/', // no device has connected; players.http.test.ts tests whose are listed
    // No visitor has come and no device has reported; statistics-routes.http.test.ts tests whose are listed.
    'GET /api/user/statistics/export/',
    'GET /api/user/statistics/live/',
    'GET /api/user/device_attempts/', // only kinds and times; device-attempts.http.test.ts tests whose are listed
    'GET /captcha/',
    'GET /api/verify/captcha/init/',
    'GET /custom/confirm/',
  ];

  test('is listed by no call, though its owner is shown it by the same call', async () => {
    await inDatabase(product, async (db) => await confirmLogins(db, victim.userId));
    const lists = keysWithoutBilling().filter((key) => methodOf(key) === 'GET' && !key.includes('{id}'));
    const isMarked = ({ text }: ApiReply) => victimsMark.test(text);
    const seen: { key: EndpointKey; status: number; marked: boolean; markedForOwner: boolean }[] = [];
    for (const key of lists) {
      if (endpointOf(key).errors.includes('session.forbidden')) continue; // calls of staff, tested below
      if (key === 'GET /api/user/binding/') continue; // shows what a secret code names; nobody owns it yet
      const path = pathOf(key) + (queries[key] ?? '').replace('{port}', String(product.ports.http));
      const toAttacker = await attacker.call('GET', path, undefined, fromElsewhere());
      const toOwner = await owner.call('GET', path, undefined, fromElsewhere());
      seen.push({ key, status: toAttacker.status, marked: isMarked(toAttacker), markedForOwner: isMarked(toOwner) });
    }
    expect(seen).toEqual(
      seen.map(({ key }) => ({ key, status: 200, marked: false, markedForOwner: !saysNothingOfOwners.includes(key) })),
    );
  });

  test('is still there and unchanged after all this', async () => {
    const [device] = await owner.devices();
    expect(device).toMatchObject({
      id: victim.deviceId,
      name: expect.stringMatching(victimsMark),
      mappings: [{ id: victim.mappingId }],
    });
    await using database = await openDatabase(product);
    for (const [table, name] of [
      ['verification', 'verifications'],
      ['shareLink', 'shares'],
      ['mappingMember', 'members'],
      ['mappingMember', 'shared_with_me'],
      ['passkey', 'passkeys'],
      ['session', 'sessions'],
      ['apiToken', 'api_tokens'],
      ['enrolmentKey', 'enrolment_keys'],
      ['trustedBrowser', 'trusted_browsers'],
      ['alertChannel', 'alert_channels'],
      ['cloudApp', 'cloud_apps'],
      ['cloudAppMember', 'cloud_app_members'],
      ['cloudAppMember', 'cloud_app_offers'],
      ['appSession', 'cloud_app_sessions'],
      ['cloudAppWake', 'cloud_app_wakes'],
    ] as const) {
      expect({ table, rowExists: await rowExists(database.db, table, must(victim.ids[name], name)) }).toEqual({
        table,
        rowExists: true,
      });
    }
  });

  test('an ordinary account has no role', async () => {
    const forRoles = endpointKeys().filter((key) => endpointOf(key).role !== undefined);
    expect(forRoles.length).toBeGreaterThan(3);
    for (const key of forRoles) {
      const reply = await attacker.call(methodOf(key), anId(key), bodyFor(key), fromElsewhere());
      expect({ key, ...reply }).toMatchObject({ key, status: 403, json: { code: 'session.forbidden' } });
    }
  });
});

describe('mass assignment', () => {
  const planted = { is_staff: true, is_superuser: true, is_promoter: true, is_payed: true, user_id: 1, userId: 1 };

  /** For bodies with alternatives, the fields that select one. */
  const variants: Partial<Record<EndpointKey, object>> = {
    'PATCH /custom/profile/': { email: 'me@example.com', code: '123456' },
    'POST /custom/login/second/': { token: 'none', code: '123456' },
    'POST /custom/confirm/': { code: '123456' },
  };

  // Calls with a role refuse the caller before they validate the body, and so do those of the shop, which is off here.
  const open = unsafe.filter((key) => endpointOf(key).role === undefined && endpointOf(key).billing !== true);
  test.each(open.filter((key) => endpointOf(key).body !== undefined))(
    '%s takes no field it does not name',
    async (key) => {
      const reply = await attacker.call(methodOf(key), anId(key), { ...variants[key], ...planted }, fromElsewhere());
      expect(reply).toMatchObject({ status: 422, json: { code: 'request.invalid' } });
      // In a valid body only the additional fields can be the reason.
      if (variants[key] !== undefined) return;
      for (const field of Object.keys(planted))
        expect(reply.json).toMatchObject({ errors: { [field]: ['没有这个字段'] } });
    },
  );

  test.each(endpointKeys().filter((key) => endpointOf(key).body !== undefined))(
    '%s says so of every object in its body',
    (key) => {
      const objects = objectsOf(schemaOf(endpointOf(key).body));
      expect(objects).not.toEqual([]);
      expect(objects.filter(({ additionalProperties }) => additionalProperties !== false)).toEqual([]);
    },
  );

  test('no account has gained a role', async () => {
    expect(await inDatabase(product, listPrivileged)).toEqual(['admin']);
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
    const own = `other-tenant.localhost:${product.ports.http}`;
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
    const host = `other-tenant.localhost:${product.ports.http}`;
    const { json } = await owner.call('GET', `/custom/check/?url=${encodeURIComponent(`http://${host}/`)}`);
    const ticket = new URL((json as { redirect: string }).redirect);
    const port = product.ports.http;
    // The relay receives the change a moment later.
    await expect.poll(async () => (await request({ port, host, path: '/' })).status).toBe(403);
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

  /** The server's CPU time for two kinds of calls, made in turns so that other load affects both alike. */
  async function workInTurns(first: (n: number) => Promise<unknown>, second: (n: number) => Promise<unknown>) {
    const pid = await findServerPid(product.child.pid);
    const work: [number, number] = [0, 0];
    for (let n = 0; n < SAMPLES; n++) {
      for (const [index, call] of [first, second].entries()) {
        const before = await processorTime(pid);
        await call(n);
        work[index]! += (await processorTime(pid)) - before;
      }
    }
    return work;
  }

  test('is revealed neither by the text nor by the time of a failed login', async () => {
    await inDatabase(product, async (db) => await createManyPeople(db, { prefix: 'known-', count: 100 }));
    const answers = new Set<string>();
    async function fail(account: string): Promise<void> {
      const anonymous = new ApiClient(product);
      await anonymous.call('GET', '/api/login_status/', undefined, fromElsewhere());
      const body = { account, password: 'not the password' };
      const { status, json } = await anonymous.call('POST', '/custom/login/', body, fromElsewhere());
      const { request_id: _id, ...problem } = json as { request_id: string };
      answers.add(JSON.stringify({ status, problem }));
    }
    await fail('known-99');

    const [known, unknown] = await workInTurns(
      async (n) => await fail(`known-${n}`),
      async (n) => await fail(`nobody-${n}`),
    );

    expect([...answers]).toHaveLength(1);
    // Without checking a password the time would be less than a tenth.
    expect(Math.max(known, unknown) / Math.min(known, unknown)).toBeLessThan(2);
  });

  test.each(['/api/verify/password/reset/', '/api/verify/login/phone/'])('is not revealed by %s', async (path) => {
    await inDatabase(product, async (db) => await givePhoneNumber(db, 'known-99', '+8613800000001'));
    const answers = new Set<string>();
    for (const phone of ['13800000001', '13900000002']) {
      const anonymous = new ApiClient(product);
      await anonymous.call('GET', '/api/login_status/', undefined, fromElsewhere());
      const body = path.includes('reset') ? { new_password: 'a new password' } : { accepted_terms: true };
      const reply = await anonymous.call('POST', path, { phone, code: '123456', ...body }, fromElsewhere());
      const { request_id: _id, ...problem } = reply.json as { request_id: string };
      answers.add(JSON.stringify({ status: reply.status, problem }));
    }
    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).toMatch(/code\.(wrong|expired)/);
  });
});
