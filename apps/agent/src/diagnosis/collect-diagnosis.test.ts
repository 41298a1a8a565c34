import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { describeDiagnosis } from '../cli/describe-diagnosis.ts';
import { EventHistory, readEventHistory } from '../events/event-history.ts';
import { createIdentity } from '../state/identity.ts';
import { writeStateFile } from '../state/state-file.ts';
import { listenOnLoopback } from '../testing/lan-service.ts';
import { collectDiagnosis } from './collect-diagnosis.ts';

const silent = { info: () => undefined, warn: () => undefined };

async function stateFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), 'tongtu-diagnosis-'));
  return { folder, [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true }) };
}

test('a diagnosis names what works and what does not, and contains no secret', async () => {
  await using state = await stateFolder();
  const server = createServer((_req, res) =>
    res.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString()).end(),
  );
  const { privateKey } = createIdentity();
  try {
    const port = await listenOnLoopback(server);
    const device = { version: 1, uid: '3f9a1c22b07e', privateKey, relayPin: 'p'.repeat(43) } as const;
    const relay = { tunnelHost: '127.0.0.1', tunnelPort: 1, tunnels: [] };
    await writeStateFile(state.folder, {
      ...device,
      ...relay,
      serverUrl: `http://wang:geheim2@127.0.0.1:${port}/?auth=geheim3#geheim4`,
    });
    const history = new EventHistory(state.folder, () => new Date('2026-11-24T08:00:00Z'));
    const log = history.recording(silent);
    log.info({ event: 'binding-offered', url: 'http://x/#/devices?code=tc_abcdefghijklm', fingerprint: 'aa' }, '');
    const redirectedTo = 'https://login.example/?session=geheim5';
    log.warn(
      { event: 'server-unreachable', serverUrl: 'http://x/?auth=geheim3', reason: 'not-json', redirectedTo },
      '',
    );
    log.warn({ event: 'offline', reason: 'ECONNRESET' }, '');
    await history.flush();
    const env = {
      HTTPS_PROXY: 'http://li:geheim@proxy:3128',
      http_proxy: 'li:geheim@proxy',
      TONGTU_TOKEN: 'tt_secretsecret',
    };
    const diagnosis = await collectDiagnosis({ stateDir: state.folder, serverUrl: undefined, version: '1.2.3', env });
    expect(diagnosis).toMatchObject({
      serverUrl: `http://***@127.0.0.1:${port}/?***`,
      server: { ok: true, seen: 'HTTP 200' },
      relays: [{ name: '127.0.0.1:1', ok: false, reason: 'ECONNREFUSED' }],
      proxies: { HTTPS_PROXY: 'http://***@proxy:3128', http_proxy: '***@proxy' },
      history: [
        { event: 'binding-offered' },
        { event: 'server-unreachable' },
        { event: 'offline', reason: 'ECONNRESET' },
      ],
    });
    const text = describeDiagnosis(diagnosis);
    expect(text).toContain('请校准本机时间');
    expect(text).toContain('连接被拒绝');
    for (const secret of [privateKey, 'geheim', 'tt_secretsecret', 'abcdefghijklm']) {
      expect(text + JSON.stringify(diagnosis)).not.toContain(secret);
      expect(await readFile(path.join(state.folder, 'events.jsonl'), 'utf8')).not.toContain(secret);
    }
  } finally {
    server.close();
  }
});

test('without a device and without a network there is still a diagnosis', async () => {
  await using state = await stateFolder();
  const input = { stateDir: state.folder, serverUrl: 'http://127.0.0.1:1', version: '1.2.3', env: {} };
  const text = describeDiagnosis(await collectDiagnosis(input));
  expect(text).toContain('还没有绑定');
  expect(text).toContain('失败　http://127.0.0.1:1');
});

test('the history is bounded, and lines that were cut off are left out', async () => {
  await using state = await stateFolder();
  const history = new EventHistory(state.folder, () => new Date(0));
  const log = history.recording(silent);
  for (let count = 0; count < 450; count++) log.warn({ event: 'offline', reason: String(count) }, '');
  await history.flush();
  const file = path.join(state.folder, 'events.jsonl');
  const text = await readFile(file, 'utf8');
  expect(text.split('\n').length).toBeLessThan(402);
  await writeFile(file, `${text}{"at":"2026-`);
  expect((await readEventHistory(state.folder)).at(-1)).toMatchObject({ reason: '449' });
});

test('many events later the history still says since when the device is online', async () => {
  await using state = await stateFolder();
  const history = new EventHistory(state.folder, () => new Date(0));
  const log = history.recording(silent);
  log.warn({ event: 'offline', reason: 'lost' }, '');
  log.info({ event: 'online', uid: '3f9a1c22b07e', relay: 'r' }, '');
  for (let count = 0; count < 1_000; count++) log.info({ event: 'scanning', addresses: [] }, '');
  await history.flush();
  const changes = (await readEventHistory(state.folder)).filter(({ event }) => event !== 'scanning');
  expect(changes).toMatchObject([{ event: 'online' }]);
});
