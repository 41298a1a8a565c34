import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openRawClient, type RawClient } from '../../testing/clients/raw-client.ts';
import {
  createAgentKey,
  startLanService,
  startTestRelay,
  testDevice,
  type TestRelay,
} from '../../testing/start-test-relay.ts';

/** Begins a request to the service at nas.localhost. */
function visit(t: TestRelay): RawClient {
  const visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\nConnection: close\r\n\r\n');
  return visitor;
}

test('an idle device has one channel, and is asked for more when there is work', async () => {
  await using t = await startTestRelay();
  await using service = await startLanService(() => {});
  const key = createAgentKey();
  const agent = await t.connectChannels(testDevice(key, { 'nas.localhost': service.port }), key);
  expect(agent.wanted).toBe(1);
  const visitors: RawClient[] = [];
  for (const wanted of [3, 4, 5, 6, 7, 8, 8]) {
    visitors.push(visit(t));
    await expect.poll(() => agent.wanted).toBe(wanted);
  }
  for (const visitor of visitors) await visitor[Symbol.asyncDispose]();
});

test('an agent without the feature gets no session, and is not asked for channels', async () => {
  await using t = await startTestRelay();
  await using service = await startLanService((_request, response) => response.end('served'));
  const key = createAgentKey();
  const agent = await t.connectDevice(testDevice(key, { 'nas.localhost': service.port }), key);
  await using visitor = visit(t);
  expect(await visitor.untilEnd()).toMatch(/served$/);
  expect(agent.messages.map(({ type }) => type)).toEqual(['challenge', 'welcome']);
  expect((await agent.waitFor('welcome')).session).toBeUndefined();
});

test('a stream goes to a channel that has none, and an idle stream beside others is not used again', async () => {
  await using t = await startTestRelay();
  let answers: (() => void)[] = [];
  await using service = await startLanService((_request, response) => void answers.push(() => response.end('served')));
  const key = createAgentKey();
  const agent = await t.connectChannels(testDevice(key, { 'nas.localhost': service.port }), key);
  await using first = visit(t);
  await using second = visit(t);
  await expect.poll(() => agent.first.mux.streamCount).toBe(3); // one is for control messages
  expect(await agent.join(1)).toEqual({ type: 'joined', receivedBytes: 0 });
  await expect.poll(() => answers.length).toBe(2);
  answers[0]?.(); // its stream is idle, beside the other one
  await Promise.race([first.untilEnd(), second.untilEnd()]);
  await using third = visit(t);
  await expect.poll(() => agent.carrierOf(1).mux.streamCount).toBe(1);
  await expect.poll(() => answers.length).toBe(3);
  for (const answer of answers) answer();
  await Promise.all([first.untilEnd(), second.untilEnd(), third.untilEnd()]);
  answers = [];
});

test('a silent channel gets no new streams, and its own ones go on when it speaks again', async () => {
  await using t = await startTestRelay();
  const answers: (() => void)[] = [];
  await using service = await startLanService((_request, response) => void answers.push(() => response.end('served')));
  const key = createAgentKey();
  const agent = await t.connectChannels(testDevice(key, { 'nas.localhost': service.port }), key);
  const visitors = [visit(t)];
  await expect.poll(() => agent.wanted).toBe(3);
  await agent.join(1);
  agent.first.freeze();
  // The first ones may still go there.
  await expect
    .poll(() => {
      visitors.push(visit(t));
      return agent.carrierOf(1).mux.streamCount;
    })
    .toBeGreaterThan(20);
  expect(visitors.length).toBeLessThan(30);
  agent.first.thaw();
  await expect.poll(() => answers.length).toBe(visitors.length);
  for (const answer of answers) answer();
  for (const visitor of visitors) expect(await visitor.untilEnd()).toMatch(/served$/);
});

test('a channel with a long transfer gets no new streams while another one has none', async () => {
  const endless = Buffer.alloc(64 * 1024);
  await using t = await startTestRelay();
  let isFirst = true;
  await using service = await startLanService((_request, response) => {
    if (!isFirst) return response.end('served');
    isFirst = false;
    const more = () =>
      void (response.destroyed || (response.write(endless) ? setImmediate(more) : response.once('drain', more)));
    more();
  });
  const key = createAgentKey();
  const agent = await t.connectChannels(testDevice(key, { 'nas.localhost': service.port }), key);
  await using download = visit(t);
  let bytes = 0;
  download.socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await expect.poll(() => bytes).toBeGreaterThan(2 * 1024 * 1024);
  await agent.join(1);
  const sent = agent.first.mux.streamCount;
  for (let turn = 0; turn < 3; turn++) {
    download.clear();
    await using visitor = visit(t);
    expect(await visitor.untilEnd()).toMatch(/served$/);
  }
  expect([agent.first.mux.streamCount, agent.carrierOf(1).mux.streamCount]).toEqual([sent, 1]);
});

test('channels that are not needed any more are closed, and opened again when they are', async () => {
  await using t = await startTestRelay({ channelKeptMs: 300, heartbeatMs: 50 });
  await using service = await startLanService((_request, response) => response.end('served'));
  const key = createAgentKey();
  const agent = await t.connectChannels(testDevice(key, { 'nas.localhost': service.port }), key);
  for (let turn = 0; turn < 2; turn++) {
    await using visitor = visit(t);
    await visitor.untilEnd();
    await expect.poll(() => agent.wanted).toBe(3);
    expect(await agent.join(1)).toEqual({ type: 'joined', receivedBytes: 0 });
    await expect.poll(() => agent.further.size).toBe(0);
    expect(agent.wanted).toBe(1);
  }
  expect(agent.first.isClosed).toBe(false);
});

test('a transfer goes on over another connection without a lost, doubled or reordered byte', async () => {
  const body = randomBytes(6_000_000);
  await using t = await startTestRelay();
  await using service = await startLanService((_request, response) => response.end(body));
  const key = createAgentKey();
  const agent = await t.connectChannels(testDevice(key, { 'nas.localhost': service.port }), key);
  await using visitor = visit(t);
  for (let turn = 1; turn <= 5; turn++) {
    const { receivedBytes } = agent.first.mux;
    await expect.poll(() => visitor.text.length, { interval: 1 }).toBeGreaterThan(turn * 100_000);
    agent.first.kill();
    expect(await agent.join(0)).toMatchObject({ type: 'joined' });
    await expect.poll(() => agent.first.mux.receivedBytes, { interval: 1 }).toBeGreaterThan(receivedBytes);
  }
  const received = Buffer.from(await visitor.untilEnd(), 'latin1');
  expect(hashOf(received.subarray(-body.length))).toBe(hashOf(body));
});

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
