import type { Route } from '@tongtu/contract';
import type { OpenRequest } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import { Http2Client } from '../testing/clients/http2-client.ts';
import { openRawClient } from '../testing/clients/raw-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

type Received = Record<string, string | string[] | undefined>;
type Choices = Partial<Route>;
const WATCHED = ['host', 'origin', 'referer', 'destination', 'if', 'forwarded'];

/** A relay with one mapping `nas.localhost`, whose service answers with the fields that it got. */
async function startEcho(choices: Choices) {
  await using parts = new AsyncDisposableStack();
  const t = parts.use(await startTestRelay());
  const lan = parts.use(
    await startLanService((request, response) => {
      const watched = Object.entries(request.headers).filter(
        ([name]) => WATCHED.includes(name) || name.startsWith('x-'),
      );
      const location = request.headers['x-location'];
      if (location !== undefined)
        response.setHeader('Location', location).setHeader('Access-Control-Allow-Origin', location);
      response.end(JSON.stringify(Object.fromEntries(watched)));
    }),
  );
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }, choices), key);
  const running = parts.move();
  return { t, lan, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** What a service gets of a request that comes by https to `nas.localhost`, or to a port of it. */
async function request(choices: Choices, { port = '', fields = {} }: { port?: string; fields?: object } = {}) {
  await using echo = await startEcho(choices);
  await using visitor = new Http2Client(echo.t.relay.tlsPort, 'nas.localhost');
  const authority = `nas.localhost${port}`;
  const origin = `https://${authority}`;
  const sent = { ':path': '/', ':authority': authority, origin, referer: `${origin}/a`, ...fields };
  const answer = await visitor.fetch(sent);
  const got = JSON.parse(String(answer.body)) as Received; // the echo's own
  const own = new RegExp(`127\\.0\\.0\\.1:${echo.lan.port}`, 'g');
  const shown = (text: unknown) => (typeof text === 'string' ? text.replace(own, 'TARGET') : text);
  return { answer, received: Object.fromEntries(Object.entries(got).map(([name, text]) => [name, shown(text)])) };
}

test('with the Host kept, everything is public', async () => {
  expect((await request({}, { port: ':8443' })).received).toEqual({
    host: 'nas.localhost:8443',
    origin: 'https://nas.localhost:8443',
    referer: 'https://nas.localhost:8443/a',
    forwarded: 'for=127.0.0.1;proto=https',
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'nas.localhost:8443',
    'x-forwarded-port': '8443',
    'x-real-ip': '127.0.0.1',
  });
});

test('with the Host rewritten, everything is the service’s own', async () => {
  const { received: got } = await request({ hostHeader: 'rewrite' }, { port: ':8443' });
  expect(got).toMatchObject({
    host: 'TARGET',
    origin: 'http://TARGET',
    referer: 'http://TARGET/a',
    forwarded: 'for=127.0.0.1;proto=http',
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': 'TARGET',
  });
  expect(JSON.stringify(got)).not.toMatch(/nas\.localhost|8443/);
});

test('a Host of the mapping’s own is in all fields, with the scheme that was chosen', async () => {
  const custom = { hostHeader: 'custom', hostName: 'files.lan' } as const;
  expect((await request(custom)).received).toMatchObject({
    host: 'files.lan',
    origin: 'http://files.lan',
    forwarded: 'for=127.0.0.1;host=files.lan;proto=http',
    'x-forwarded-host': 'files.lan',
    'x-forwarded-port': '80',
  });
  expect((await request({ ...custom, forwardedProto: 'https' })).received).toMatchObject({
    host: 'files.lan',
    origin: 'https://files.lan',
    referer: 'https://files.lan/a',
    forwarded: 'for=127.0.0.1;host=files.lan;proto=https',
    'x-forwarded-proto': 'https',
    'x-forwarded-port': '443',
  });
});

test('a service that gets http sees pages by http', async () => {
  expect((await request({ forwardedProto: 'http' })).received).toMatchObject({
    host: 'nas.localhost',
    origin: 'http://nas.localhost',
    'x-forwarded-proto': 'http',
    'x-forwarded-port': '80',
  });
});

test('Origin and Referer are kept or rewritten whatever the Host is', async () => {
  expect((await request({ hostHeader: 'rewrite', originFields: 'keep' })).received).toMatchObject({
    host: 'TARGET',
    origin: 'https://nas.localhost',
    referer: 'https://nas.localhost/a',
  });
  expect((await request({ originFields: 'rewrite' })).received).toMatchObject({
    host: 'nas.localhost',
    origin: 'http://TARGET',
    referer: 'http://TARGET/a',
    'x-forwarded-host': 'nas.localhost',
  });
});

test('fields about the visitor can be left out, and what a visitor sends by their names never arrives', async () => {
  const forged = {
    'x-forwarded-for': '6.6.6.6',
    'x-forwarded-host': 'evil.example',
    'x-real-ip': '6.6.6.6',
    forwarded: 'for=6.6.6.6',
    x_forwarded_for: '6.6.6.6',
    'cf-connecting-ip': '6.6.6.6',
  };
  expect((await request({ visitorFields: 'omit_address' }, { fields: forged })).received).toEqual({
    host: 'nas.localhost',
    origin: 'https://nas.localhost',
    referer: 'https://nas.localhost/a',
    forwarded: 'host=nas.localhost;proto=https',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'nas.localhost',
    'x-forwarded-port': '443',
  });
  // The service knows of http alone, so its pages are there.
  expect((await request({ visitorFields: 'omit' }, { fields: forged })).received).toEqual({
    host: 'nas.localhost',
    origin: 'http://nas.localhost',
    referer: 'http://nas.localhost/a',
  });
});

test('a page of another site stays one, whatever the service gets', async () => {
  const fields = { origin: 'https://evil.example', referer: 'https://evil.example/nas.localhost' };
  for (const choices of [
    { hostHeader: 'rewrite' },
    { hostHeader: 'custom', hostName: 'files.lan' },
    { originFields: 'rewrite' },
    { visitorFields: 'omit' },
    { forwardedProto: 'http' },
  ] satisfies Choices[]) {
    expect((await request(choices, { fields })).received).toMatchObject(fields);
  }
});

const lock = '(<urn:uuid:1> ["a)<b>"])';

test.each<[string, Choices, string]>([
  ['kept', {}, 'http://nas.localhost'],
  ['kept, and the service believes in https', { forwardedProto: 'https' }, 'https://nas.localhost'],
  ['rewritten', { hostHeader: 'rewrite' }, 'http://TARGET'],
  ['custom', { hostHeader: 'custom', hostName: 'files.lan' }, 'http://files.lan'],
  ['rewritten, and pages kept', { hostHeader: 'rewrite', originFields: 'keep' }, 'http://TARGET'],
])('Destination and the tags of If are where the service is, with the Host %s', async (_what, choices, origin) => {
  const fields = {
    ':method': 'MOVE',
    destination: 'https://nas.localhost/dav/b%20c',
    if: `<https://nas.localhost/dav/> ${lock} (Not <DAV:no-lock>) <http://other.example/> (<urn:uuid:2>)`,
  };
  expect((await request(choices, { fields })).received).toMatchObject({
    destination: `${origin}/dav/b%20c`,
    if: `<${origin}/dav/> ${lock} (Not <DAV:no-lock>) <http://other.example/> (<urn:uuid:2>)`,
  });
});

test.each<[string, Choices, string, string]>([
  ['rewritten', { hostHeader: 'rewrite' }, 'http://127.0.0.1:PORT/x', 'https://nas.localhost/x'],
  ['custom', { hostHeader: 'custom', hostName: 'files.lan' }, 'http://files.lan/x', 'https://nas.localhost/x'],
  [
    'custom in https',
    { hostHeader: 'custom', hostName: 'files.lan', forwardedProto: 'https' },
    'https://files.lan/x',
    'https://nas.localhost/x',
  ],
  [
    'custom in https, which the service does not read',
    { hostHeader: 'custom', hostName: 'files.lan', forwardedProto: 'https' },
    'http://files.lan/x',
    'https://nas.localhost/x',
  ],
  ['kept without the fields', { visitorFields: 'omit' }, 'http://nas.localhost/x', 'https://nas.localhost/x'],
  ['kept, at the port of the service', {}, 'http://nas.localhost:PORT/x', 'https://nas.localhost/x'],
  ['kept, pages rewritten', { originFields: 'rewrite' }, 'http://127.0.0.1:PORT', 'https://nas.localhost'],
  ['another site', { hostHeader: 'rewrite' }, 'http://files.lan/x', 'http://files.lan/x'],
])('the addresses of an answer are public again: %s', async (_what, choices, named, shown) => {
  await using echo = await startEcho(choices);
  await using visitor = new Http2Client(echo.t.relay.tlsPort, 'nas.localhost');
  const location = named.replace('PORT', String(echo.lan.port));
  const { headers } = await visitor.fetch({ ':path': '/', ':authority': 'nas.localhost', 'x-location': location });
  expect(headers).toMatchObject({ location: shown, 'access-control-allow-origin': shown });
});

test('the page of a service that knows nothing of TLS stays by https, and a page by http may still ask it', async () => {
  await using echo = await startEcho({});
  await using visitor = new Http2Client(echo.t.relay.tlsPort, 'nas.localhost');
  const named = 'http://nas.localhost/x';
  const { headers } = await visitor.fetch({ ':path': '/', ':authority': 'nas.localhost', 'x-location': named });
  expect(headers).toMatchObject({ location: 'https://nas.localhost/x', 'access-control-allow-origin': named });
});

test('where a port has one scheme, the service does not lead to the other one', async () => {
  await using echo = await startEcho({ kind: 'https' });
  await using visitor = openRawClient(echo.t.relay.httpPort);
  const ask = (host: string, location: string) =>
    visitor.send(`GET / HTTP/1.1\r\nHost: ${host}\r\nX-Location: ${location}\r\n\r\n`);
  ask('nas.localhost:8080', 'https://nas.localhost:8080/x');
  expect(await visitor.until(/\}$|0\r\n\r\n/)).toContain('Location: http://nas.localhost:8080/x\r\n');
  visitor.clear();
  ask('nas.localhost', 'https://nas.localhost/x');
  expect(await visitor.until(/\}$|0\r\n\r\n/)).toContain('Location: https://nas.localhost/x\r\n');
});

test('where the service sees what the visitor sees, requests stay byte for byte, and answers at its port are public', async () => {
  await using echo = await startEcho({});
  await using visitor = openRawClient(echo.t.relay.httpPort);
  const fields = 'Origin: http://nas.localhost\r\nDestination: http://nas.LOCALHOST:80/x\r\n';
  const location = `http://NAS.localhost:${echo.lan.port}/x`;
  visitor.send(`MOVE / HTTP/1.1\r\nHost: NAS.localhost\r\n${fields}X-Location: ${location}\r\n\r\n`);
  const text = await visitor.until(/\}/);
  expect(text).toContain('"origin":"http://nas.localhost","destination":"http://nas.LOCALHOST:80/x"');
  expect(text).toContain('Location: http://NAS.localhost/x\r\n');
});

test('a service behind http whose visitor came by http leads to https where it likes', async () => {
  await using echo = await startEcho({ forwardedProto: 'https' });
  await using visitor = openRawClient(echo.t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\nX-Location: https://nas.localhost/x\r\n\r\n');
  const text = await visitor.until(/\r\n0\r\n\r\n|\}$/);
  expect(text).toContain('Location: https://nas.localhost/x\r\n');
  expect(text).toContain('"x-forwarded-proto":"https"');
});

test('a mapping may wait longer than other mappings for an answer', async () => {
  await using t = await startTestRelay({ responseHeadTimeoutMs: 40, serviceSilenceMs: 40 });
  await using lan = await startLanService((_request, response) => {
    setTimeout(() => response.write('begun '), 150);
    setTimeout(() => response.end('done'), 300);
  });
  const key = createAgentKey();
  const patient = { answerTimeoutS: 3600, silenceTimeoutS: 3600 };
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }, patient), key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  expect(await visitor.until(/done/)).toContain('begun');
});

const https = { kind: 'https' } as const;

test.each<[string, Choices, string | undefined]>([
  ['the public name, for a target that is an address', https, 'nas.localhost'],
  ['none, for a target with a name', { ...https, targetHost: 'localhost' }, undefined],
  ['none, where the Host is an address', { ...https, hostHeader: 'rewrite' }, undefined],
  ['the name of the Host', { ...https, hostHeader: 'custom', hostName: 'files.lan:81' }, 'files.lan'],
  ['the name of the mapping', { ...https, targetHost: 'localhost', tlsName: 'files.lan' }, 'files.lan'],
  ['none that follows the Host, for a certificate to verify', { ...https, verifyTls: true }, undefined],
  ['the name of the mapping, for a certificate', { ...https, verifyTls: true, tlsName: 'files.lan' }, 'files.lan'],
  ['none, without TLS', {}, undefined],
])('the device learns the TLS name: %s', async (_what, choices, tlsName) => {
  await using t = await startTestRelay();
  await using lan = await startLanService((_request, response) => response.end('here'));
  const key = createAgentKey();
  const opened: OpenRequest[] = [];
  const onOpen = (asked: OpenRequest) => {
    opened.push(asked);
    return undefined;
  };
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }, choices), key, { onOpen });
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: NAS.localhost:8080\r\n\r\n');
  await visitor.until(/here/);
  expect(opened.map((asked) => asked.tlsName)).toEqual([tlsName]);
});

test('an older agent connects without a TLS name', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((_request, response) => response.end('here'));
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': lan.port }, { ...https, tlsName: 'files.lan' });
  const opened: OpenRequest[] = [];
  const onOpen = (asked: OpenRequest) => {
    opened.push(asked);
    return undefined;
  };
  await t.connectDevice(device, key, { onOpen, features: ['tls-verified'] });
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  await visitor.until(/here/);
  expect(opened).toEqual([expect.not.objectContaining({ tlsName: 'files.lan' })]);
});
