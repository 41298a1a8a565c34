import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

/** A relay with a service behind it, and a function that has the relay visit it. */
async function openHouse(port: number) {
  const t = await startTestRelay();
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': port });
  await t.connectDevice(device, key);
  const place = { mappingId: device.routes[0]?.mappingId ?? 0, scheme: 'https', authority: 'nas.localhost' } as const;
  const visit = async () => {
    const asked = { ...place, address: '203.0.113.7', settings: {} };
    t.server.send({ type: 'trial', correlation: 1, deviceId: device.deviceId, visit: asked });
    return (await t.server.waitFor('trial_result', ({ correlation }) => correlation === 1)).result;
  };
  return { visit, [Symbol.asyncDispose]: async () => await t[Symbol.asyncDispose]() };
}

/** A service with one page for every path. */
async function startPage(html: string, headers: Record<string, string> = {}) {
  return await startLanService(({ url }, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...(url === '/' ? headers : {}) });
    response.end(url === '/' ? html : '<title>Login</title>');
  });
}

test.each([
  ['<meta http-equiv="Refresh" content="0; url=/login">', {}],
  ['<head>\n<META content=\'1;URL="/login"\' http-equiv=refresh>', {}],
  ['', { Refresh: '3; url=/login' }],
])('a page that leads on by itself is followed: %s %j', async (html, headers) => {
  await using nas = await startPage(html, headers);
  await using house = await openHouse(nas.port);
  expect(await house.visit()).toMatchObject({
    answers: [
      { status: 200, location: '/login' },
      { target: '/login', title: 'Login' },
    ],
    script: 200,
  });
});

test.each([
  '<meta http-equiv=refresh content=5>',
  '<meta http-equiv=refresh content="5;url=/">',
  '<meta http-equiv=refresh content="600;url=/login">',
  '<noscript><meta http-equiv=refresh content="0;url=/login"></noscript>',
  '<!-- <meta http-equiv=refresh content="0;url=/login"> -->',
  '<script>"<meta http-equiv=refresh content=0;url=/login>"</script>',
])('a page that shows itself anew, or leads on at another time, stays: %s', async (html) => {
  await using nas = await startPage(html);
  await using house = await openHouse(nas.port);
  expect(await house.visit()).toMatchObject({ answers: [{ target: '/', location: null }] });
});

test('of a page the origins of what it needs are reported, and what has made it', async () => {
  await using nas = await startPage(`<!DOCTYPE html><html><head>
    <meta name="generator" content="WordPress 6.1" />
    <link rel='stylesheet' id='a' href='http://192.168.1.10:8101/a.css'><link rel=canonical href="http://canonical.lan/">
    <script src="//cdn.example.org/x.js"></script><script src=own.js></script>
    <script>document.write('<script src="http://written.lan/"><\\/script>')</script></head>
    <body><a href="http://router.lan/">Router</a><img src="http://camera.lan/">
    <form method=post action="http://192.168.1.10:8101/login"></form><iframe src="https://frame.lan/x"></iframe>`);
  await using house = await openHouse(nas.port);
  expect(await house.visit()).toMatchObject({
    answers: [
      {
        generator: 'WordPress 6.1',
        isBlank: false,
        origins: ['http://192.168.1.10:8101', 'https://cdn.example.org', 'https://frame.lan'],
      },
    ],
  });
});

test('a page says where its relative addresses begin', async () => {
  await using nas = await startPage('<base href="http://192.168.1.10/"><script src="a.js"></script>');
  await using house = await openHouse(nas.port);
  expect(await house.visit()).toMatchObject({ answers: [{ origins: ['http://192.168.1.10'] }] });
});

test('the title of a page is read although the page is too large', async () => {
  const page = gzipSync(`<title>Books</title>${'<p>'.repeat(2_000_000)}`);
  await using nas = await startPage(page as unknown as string, { 'Content-Encoding': 'gzip' });
  await using house = await openHouse(nas.port);
  expect(await house.visit()).toMatchObject({ answers: [{ title: 'Books' }] });
});

test('a service that closes every connection but a WebSocket is asked for one', async () => {
  await using broker = await startLanService((request) => request.destroy());
  broker.server.on('upgrade', (_request, socket) => {
    socket.on('error', () => {});
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  await using house = await openHouse(broker.port);
  expect(await house.visit()).toMatchObject({ answers: [], failure: 'target-lost', socket: 101 });
});
