import { expect, test } from 'vitest';
import { openTestDb } from '../db/open-test-db.ts';
import { registerAgentDownloads } from '../features/agent-downloads/index.ts';
import { openTestApp } from '../testing/open-test-app.ts';

test.each(['localhost:99999', 'localhost:65536', '1.2.3.999', '[::', 'a b', 'user@localhost'])(
  'a request for the host "%s" is refused before an address is made of it',
  async (host) => {
    await using t = await openTestDb();
    const tunnel = { host: undefined, port: 9000, pin: '', protocol: 1 };
    const publicUrl = 'http://console.example.com:8080';
    await using test = await openTestApp(t.db, (app) =>
      registerAgentDownloads(app, { publicUrl, agentFile: import.meta.filename, version: '0.1.0', tunnel }),
    );
    const browser = test.browser();

    for (const path of ['/api/agent/bootstrap/', '/agent/install.sh', '/api/unknown/']) {
      const { status, body } = await browser.call('GET', path, undefined, { host });
      expect({ path, status, code: (body as { code?: string }).code }).toEqual({
        path,
        status: 400,
        code: 'request.malformed',
      });
    }
    expect(await browser.call('GET', '/api/agent/bootstrap/', undefined, { host: 'nas.lan:65535' })).toMatchObject({
      status: 200,
      body: { tunnel_host: 'nas.lan' },
    });
  },
);
