import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { must } from '@tongtu/base';
import { upgradeProof } from '@tongtu/tunnel';
import { expect, test, vi } from 'vitest';
import type { AgentEvent } from '../events/agent-log.ts';
import { makeTemporaryFolder } from '../testing/temporary-folder.ts';
import { createUpgrader } from './create-upgrader.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const upgradeKey = must(publicKey.export({ format: 'jwk' }).x, 'key');
const agent = Buffer.from('console.log("newer")');

function offerOf(version: string, key: KeyObject = privateKey) {
  const sha256 = createHash('sha256').update(agent).digest('hex');
  return { version, sha256, signature: sign(null, upgradeProof({ version, sha256 }), key).toString('base64url') };
}

async function open(download: () => Promise<Buffer>) {
  const parts = new AsyncDisposableStack();
  const state = parts.use(await makeTemporaryFolder());
  const events: AgentEvent[] = [];
  const note = (event: AgentEvent) => void events.push(event);
  const upgrade = createUpgrader({
    device: { serverUrl: 'http://127.0.0.1:9', upgradeKey },
    stateDir: state.path,
    version: '0.1.0',
    monotonicMs: () => performance.now(),
    restart: vi.fn<() => void>(),
    log: { info: note, warn: note },
    download,
  });
  return { upgrade, events, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

test.each([
  ['another key has signed', offerOf('0.2.0', generateKeyPairSync('ed25519').privateKey), 'bad-signature'],
  ['is not newer', offerOf('0.1.0'), 'not-newer'],
])('an agent that %s is not downloaded; the answer and the log say so', async (_what, offer, reason) => {
  const download = vi.fn<() => Promise<Buffer>>();
  await using it = await open(download);
  expect(await it.upgrade(offer)).toMatchObject({ ok: false, seen: reason });
  expect(it.events).toEqual([{ event: 'upgrade-refused', version: offer.version, reason }]);
  expect(download).not.toHaveBeenCalled();
});

test('an offer that arrives again during its download gets the same answer', async () => {
  const downloaded = Promise.withResolvers<Buffer>();
  const download = vi.fn<() => Promise<Buffer>>(async () => await downloaded.promise);
  await using it = await open(download);
  const answers = [it.upgrade(offerOf('0.2.0')), it.upgrade(offerOf('0.2.0'))];
  downloaded.resolve(agent);
  expect(await Promise.all(answers)).toMatchObject([
    { ok: true, seen: 'restarting' },
    { ok: true, seen: 'restarting' },
  ]);
  expect(download).toHaveBeenCalledTimes(1);
});

test('a failed download is logged, and can be tried again', async () => {
  const download = vi.fn<() => Promise<Buffer>>().mockRejectedValueOnce(new Error('timeout')).mockResolvedValue(agent);
  await using it = await open(download);
  expect(await it.upgrade(offerOf('0.2.0'))).toMatchObject({ ok: false, seen: 'timeout' });
  expect(it.events.at(-1)).toEqual({ event: 'upgrade-failed', version: '0.2.0', reason: 'timeout' });
  expect(await it.upgrade(offerOf('0.2.0'))).toMatchObject({ ok: true });
});
