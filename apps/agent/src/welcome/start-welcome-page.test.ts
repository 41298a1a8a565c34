import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { listenOnLoopback } from '../testing/lan-service.ts';
import { startWelcomePage } from './start-welcome-page.ts';
import { welcomeHtml } from './welcome-html.ts';

const facts = {
  deviceHost: 'nas',
  address: 'welcome.localhost:8080',
  visitorAddress: '203.0.113.7',
  deviceTime: new Date(0),
};

test('the page shows its device and the visitor', async () => {
  await using page = await startWelcomePage();
  const response = await fetch(`http://127.0.0.1:${page.port}/`, {
    headers: { 'x-forwarded-for': '203.0.113.7, 10.0.0.1', 'x-forwarded-host': 'welcome.example.com' },
  });
  const html = await response.text();
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(html).toContain('恭喜，这个页面来自您的设备');
  expect(html).toContain('203.0.113.7');
  expect(html).toContain('welcome.example.com');
  expect(html).not.toContain('10.0.0.1');
});

test('the page opened on the device itself shows no visitor', async () => {
  await using page = await startWelcomePage();
  expect(await (await fetch(`http://127.0.0.1:${page.port}/`)).text()).toContain('直接打开');
});

test('if the preferred port is in use, a free one is chosen', async () => {
  const other = createServer();
  const port = await listenOnLoopback(other);
  await using page = await startWelcomePage({ preferredPort: port });
  expect(page.port).not.toBe(port);
  expect((await fetch(`http://127.0.0.1:${page.port}/`)).status).toBe(200);
  await new Promise((resolve) => other.close(resolve));
});

test('other paths and methods are refused', async () => {
  await using page = await startWelcomePage();
  const url = `http://127.0.0.1:${page.port}`;
  expect((await fetch(`${url}/favicon.ico`)).status).toBe(404);
  expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(405);
  expect(await (await fetch(url, { method: 'HEAD' })).text()).toBe('');
});

test.each(['deviceHost', 'address', 'visitorAddress'] as const)('markup in %s is escaped', (fact) => {
  const html = welcomeHtml({ ...facts, [fact]: `<img src=x onerror="alert('1')">&` });
  expect(html).not.toContain('<img');
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;');
});
