import { heldBytes } from '@tongtu/base/testing/held-bytes';
import { MAX_CHANNELS } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import { servedPage, startFloodedRelay } from '../../testing/flooded-relay.ts';
import { createAgentKey, testDevice } from '../../testing/start-test-relay.ts';

const KB = 1024;
/** Each with all its channels, and both ends in this process. */
const DEVICES = 40;
const CHANNELS = Array.from({ length: MAX_CHANNELS }, (_, channel) => channel);

test('devices that all join their sessions at once, with all channels, are admitted while visitors are served', async () => {
  await using flood = await startFloodedRelay({
    maxUnauthenticatedPerIp: 1_000,
    rejoinWaitMs: 60_000,
    // These agents do not ping, and a busy machine takes long for all.
    heartbeatLostMs: 60_000,
  });
  const agents = await Promise.all(
    Array.from({ length: DEVICES }, async () => {
      const key = createAgentKey();
      return await flood.t.connectChannels(testDevice(key, {}), key);
    }),
  );
  const joinAll = () => Promise.all(agents.flatMap((agent) => CHANNELS.map((channel) => agent.join(channel))));
  for (const agent of agents) agent.first.kill();
  const joining = joinAll();
  for (let turn = 0; turn < 5; turn++) expect(await flood.visitAsOther()).toMatch(servedPage);
  expect(new Set((await joining).map(({ type }) => type))).toEqual(new Set(['joined']));
  expect(flood.t.relay.deviceCount).toBe(DEVICES + 1);
  expect(flood.warnings()).toEqual([]);
  const before = heldBytes();
  // Once more: nothing of the connections before is kept.
  await joinAll();
  const perChannel = (heldBytes() - before) / (DEVICES * CHANNELS.length);
  expect(perChannel).toBeLessThan(20 * KB);
});
