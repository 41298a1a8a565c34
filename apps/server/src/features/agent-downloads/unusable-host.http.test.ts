import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { registerAgentDownloads } from './agent-download-routes.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';

const unusable = ['localhost:99999', 'localhost:65536', '1.2.3.999', '[::', 'a b', 'user@localhost'];

test('a request with an invalid host is refused', async () => {
  await using t = await openTestDb();
  const tunnel = { host: undefined, port: 9000, pin: '', protocol: 1 };
  const runtimes = { find: async () => ({ type: 'preparing' as const }) };
  const publicUrl = 'http://console.example.com:8080';
  await using test = await openTestApp(t.db, (app) =>
    registerAgentDownloads(app, {
      publicUrl,
      agentFile: import.meta.filename,
      version: '0.1.0',
      upgradeKey: 'A'.repeat(43),
      tunnel,
      runtimes,
      noteDownload: () => {},
    }),
  );
  const get = async (path: string, host: string) =>
    await test.browser().call('GET', path, undefined, { host, origin: `http://${host}` });

  for (const host of unusable) {
    for (const path of ['/api/agent/bootstrap/', '/agent/install.sh', '/api/unknown/']) {
      const { status, body } = await get(path, host);
      expect({ host, path, status, body }).toMatchObject({
        host,
        path,
        status: 400,
        body: { code: 'request.malformed' },
      });
    }
  }
  expect(await get('/api/agent/bootstrap/', 'nas.lan:65535')).toMatchObject({
    status: 200,
    body: { tunnel_host: 'nas.lan' },
  });
});
