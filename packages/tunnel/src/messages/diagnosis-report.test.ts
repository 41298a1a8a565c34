import { expect, test } from 'vitest';
import {
  type DiagnosisReport,
  MAX_DIAGNOSED_ADDRESSES,
  MAX_DIAGNOSED_CONNECTIONS,
  MAX_DIAGNOSED_EVENTS,
  MAX_DIAGNOSIS_TEXT_LENGTH,
} from './diagnosis-report.ts';
import { encodeMessage } from './message-codec.ts';
import { AgentMessage } from './messages.ts';

test('the largest report fits into one message, and one with more events is refused', () => {
  const text = '测'.repeat(MAX_DIAGNOSIS_TEXT_LENGTH);
  const addresses = Array.from({ length: MAX_DIAGNOSED_ADDRESSES }, () => ({ name: text, ok: false, ms: 8000, text }));
  const events = (count: number) => Array.from({ length: count }, () => ({ at: '2026-11-24T08:00:00.000Z', text }));
  const report: DiagnosisReport = {
    agentVersion: '1.0.0',
    protocol: 1,
    features: [],
    system: { platform: text, node: 'v24', uptimeSeconds: 1, freeMiB: 1, totalMiB: 2, load: 0 },
    proxies: addresses.map(({ text: value }) => ({ name: 'HTTP_PROXY', value })),
    serverUrl: text,
    server: null,
    clockAheadSeconds: null,
    dns: addresses,
    relays: addresses,
    connections: Array.from({ length: MAX_DIAGNOSED_CONNECTIONS }, () => ({
      ...{ name: text, rttMs: 123.456, lossPercent: 1.5, congestionControl: 'cubic', bytesPerS: 123_456_789 },
    })),
    bbr: { ok: false, text },
    history: events(MAX_DIAGNOSED_EVENTS),
  };
  const message = { type: 'diagnosis', correlation: 1, report } as const;
  expect(AgentMessage.parse(message)).toEqual(message);
  expect(() => encodeMessage(message)).not.toThrow();
  const tooLong = { ...message, report: { ...report, history: events(MAX_DIAGNOSED_EVENTS + 1) } };
  expect(AgentMessage.safeParse(tooLong).success).toBe(false);
});
