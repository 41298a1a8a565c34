import { expect, test } from 'vitest';
import { Http2Client } from '../testing/clients/http2-client.ts';
import { openRawClient } from '../testing/clients/raw-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

const verify = `/.tongtu/verify?ticket=${'A'.repeat(43)}`;

/** A relay with a mapping for verified visitors, whose service returns the cookies that it gets; any ticket is valid. */
async function startGate() {
  const stack = new AsyncDisposableStack();
  const t = stack.use(await startTestRelay());
  const lan = stack.use(
    await startLanService((request, response) => response.end(`cookie:${request.headers.cookie ?? 'none'}`)),
  );
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': lan.port }, { policy: 'owner' });
  await t.connectDevice(device, key);
  const mappingId = device.routes[0]?.mappingId ?? 0;
  t.server.handlers.redeem = () => ({ verificationId: 5, mappingId, expiresAtMs: Date.now() + 3_600_000 });
  const tls = stack.use(new Http2Client(t.relay.tlsPort, 'nas.localhost'));
  return {
    async overTls(path: string, cookie?: string) {
      const { status, headers, body } = await tls.fetch({ ':path': path, ...(cookie !== undefined && { cookie }) });
      return { status, setCookie: [headers['set-cookie']].flat()[0] ?? '', body: body.toString() };
    },
    async overHttp(path: string, cookie?: string) {
      await using visitor = openRawClient(t.relay.httpPort);
      const line = cookie === undefined ? '' : `Cookie: ${cookie}\r\n`;
      visitor.send(`GET ${path} HTTP/1.1\r\nHost: nas.localhost\r\n${line}Connection: close\r\n\r\n`);
      const text = await visitor.untilEnd();
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
      const setCookie = /Set-Cookie: ([^\r]+)/.exec(text)?.[1] ?? '';
      return { status, setCookie, body: text.slice(text.indexOf('\r\n\r\n') + 4) };
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test('cookies that another tenant’s page put before the visitor’s cookie do not make it invalid', async () => {
  await using gate = await startGate();
  const { setCookie } = await gate.overHttp(verify);
  const junk = Array.from({ length: 60 }, (_, index) => `tongtu_visitor=${index}`).join('; ');
  expect(await gate.overHttp('/x', `${junk}; a=1; ${setCookie.split(';')[0]}`)).toMatchObject({
    status: 200,
    body: expect.stringMatching(/cookie:a=1/),
  });
});

test('over TLS the cookie has the prefix that keeps other tenants from setting it, and each scheme reads its own', async () => {
  await using gate = await startGate();
  const { setCookie } = await gate.overTls(verify);
  expect(setCookie).toMatch(/^__Host-tongtu_visitor=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
  const prefixed = setCookie.split(';')[0] ?? '';
  const plain = prefixed.replace('__Host-', '');

  // Neither reaches the service.
  const both = `tongtu_visitor=junk; ${prefixed}; a=1`;
  expect(await gate.overTls('/x', both)).toMatchObject({ status: 200, body: 'cookie:a=1' });
  expect(await gate.overTls('/x', plain)).toMatchObject({ status: 403 });
  expect(await gate.overHttp('/x', prefixed)).toMatchObject({ status: 403 });
});

test('a proof counts only over the scheme that it was issued for', async () => {
  await using gate = await startGate();
  const value = ({ setCookie }: { setCookie: string }) => /=([^;]+)/.exec(setCookie)?.[1] ?? '';
  const gotOverHttp = value(await gate.overHttp(verify));
  const gotOverHttps = value(await gate.overTls(verify));

  expect(await gate.overHttp('/x', `tongtu_visitor=${gotOverHttp}; __Host-tongtu_visitor=junk`)).toMatchObject({
    status: 200,
    body: expect.stringMatching(/cookie:none/),
  });
  expect(await gate.overTls('/x', `__Host-tongtu_visitor=${gotOverHttp}`)).toMatchObject({ status: 403 });
  expect(await gate.overTls('/x', `__Host-tongtu_visitor=${gotOverHttps}`)).toMatchObject({ status: 200 });
  expect(await gate.overHttp('/x', `tongtu_visitor=${gotOverHttps}`)).toMatchObject({ status: 403 });
});
