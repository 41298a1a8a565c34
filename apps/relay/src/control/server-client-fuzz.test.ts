import type { ServerToRelay } from '@tongtu/contract';
import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openRawClient } from '../testing/clients/raw-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';
import { testCertificate } from '../testing/test-certificate.ts';

const key = createAgentKey();
const device = testDevice(key, { 'nas.localhost': 1, 'cam.localhost': 2 });
const settings = { gateKey: 'A'.repeat(43), consoleUrl: 'http://localhost:8080' };

const said: ServerToRelay[] = [
  { type: 'snapshot', version: 9, isFirst: true, isLast: true, ...settings, devices: [device], keptDeviceIds: [] },
  { type: 'snapshot', version: 9, isFirst: true, isLast: false, ...settings, devices: [], keptDeviceIds: [] },
  { type: 'snapshot', version: 10, isFirst: false, isLast: true, ...settings, devices: [device], keptDeviceIds: [7] },
  { type: 'device', version: 10, device },
  { type: 'device_removed', version: 11, deviceId: device.deviceId },
  { type: 'enrol_result', correlation: 1, result: { ok: true, device } },
  { type: 'ticket_result', correlation: 1, result: { ok: true, verificationId: 1, mappingId: 1, expiresAtMs: 1 } },
  { type: 'probe', correlation: 1, deviceId: device.deviceId, mappingId: device.routes[0]?.mappingId ?? 1 },
  { type: 'edge', edge: { challenges: [{ token: 'a', keyAuthorization: 'a.b' }], ticketKeys: 'AAAA' } },
  { type: 'certificates', certificates: [{ id: 1, names: ['a.localhost'], ...testCertificate }] },
  { type: 'certificates_kept', ids: [1] },
  { type: 'usage_stored', sequence: 3 },
  { type: 'greet' },
];

const strange = fc.oneof(
  fc.constantFrom(null, '', 0, -1, 1e308, true, [], {}, 'x\r\ny: z', '*.localhost', 'NAS.localhost', '127.0.0.1'),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A message in which the values at some places are others. */
const spoiled = fc
  .tuple(fc.constantFrom(...said), fc.array(fc.tuple(fc.nat({ max: 60 }), strange), { maxLength: 3 }))
  .map(([message, changes]) => {
    const byPlace = new Map(changes);
    let place = 0;
    return JSON.stringify(message, (name, value: unknown) => {
      // Most of them are still messages of their type then.
      const isKept = name === '' || name === 'type' || !byPlace.has(place++);
      return isKept ? value : byPlace.get(place - 1);
    });
  });

const cut = fc
  .tuple(fc.constantFrom(...said), fc.nat({ max: 400 }), fc.string({ maxLength: 3 }))
  .map(([message, at, text]) => {
    const json = JSON.stringify(message);
    return json.slice(0, at % json.length) + text + json.slice((at % json.length) + text.length);
  });

test(
  'after any bytes from the server the relay stays up, reconnects, and takes the next valid snapshot',
  { timeout: 60_000 },
  async () => {
    const levels: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void levels.push(line) });
    await using t = await startTestRelay({ reconnectFirstMs: 1, reconnectMaxMs: 2 }, log);
    await using lan = await startLanService((_request, response) => response.end('still here'));
    const texts = fc.sample(fc.oneof({ weight: 3, arbitrary: spoiled }, { weight: 1, arbitrary: cut }), {
      numRuns: 400,
      seed: 20261121,
    });
    let refused = 0;
    for (const text of texts) {
      const seen = t.server.received.length;
      t.server.sendText(text);
      // Its answer comes over the same connection after all earlier messages, or over a new one after a refused message.
      t.server.send({ type: 'greet' });
      await expect
        .poll(() => t.server.received.slice(seen).some(({ type }) => type === 'hello'), { interval: 1 })
        .toBe(true);
      refused = levels.filter((line) => line.includes('not understood')).length;
    }
    expect(refused).toBeGreaterThan(50);
    expect(refused).toBeLessThan(texts.length);

    t.server.dropRelay();
    const after = t.server.received.length;
    await expect
      .poll(() => t.server.received.slice(after).some(({ type }) => type === 'hello'), { interval: 1 })
      .toBe(true);
    const ownKey = createAgentKey();
    await t.connectDevice(testDevice(ownKey, { 'nas.localhost': lan.port }), ownKey);
    await using visitor = openRawClient(t.relay.httpPort);
    visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
    expect(await visitor.until(/still here$/)).toMatch(/^HTTP\/1\.1 200 /);
  },
);
