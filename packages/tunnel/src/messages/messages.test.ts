import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { AgentMessage, ReceivedRelayMessage, loginProof, PROTOCOL_VERSION, RelayMessage } from './messages.ts';

function fingerprints(union: typeof AgentMessage | typeof RelayMessage): Record<string, string> {
  return Object.fromEntries(
    union.options.map((message) => {
      const shape = JSON.stringify(z.toJSONSchema(message));
      return [message.shape.type.value, createHash('sha256').update(shape).digest('hex').slice(0, 8)];
    }),
  );
}

// Fails when a message changes. Decide whether agents and relays of the last release still understand it, raise
// PROTOCOL_VERSION if not, then accept the new fingerprint.
test('the wire messages match the protocol version', () => {
  expect({ version: PROTOCOL_VERSION, agent: fingerprints(AgentMessage), relay: fingerprints(RelayMessage) }).toEqual({
    version: 1,
    agent: {
      hello: '7ad3e64b',
      login: '32ddef8d',
      measured: '95eeb988',
      probe_result: '6fd6f332',
      discovery: 'f9a97959',
      diagnosis: '03d281fa',
      http_rules: 'a3833be5',
      bye: '0ed13c10',
    },
    relay: {
      challenge: 'cd774c35',
      welcome: 'a3bbff06',
      refused: '7d0af7f1',
      targets: '087ebdf2',
      probe: '3b139bb3',
      wake: '3efed217',
      upgrade: '71e1663a',
      discover: 'e4df786b',
      measure: '4c338d20',
      diagnose: '158f5e15',
      channels: 'd9325f3b',
      bye: '42d182b6',
    },
  });
});

test('an unknown message of a newer relay is accepted, and a malformed known message is refused', () => {
  expect(ReceivedRelayMessage.parse({ type: 'surprise', much: 'of it' })).toEqual({ type: 'unknown' });
  expect(ReceivedRelayMessage.parse({ type: 'targets', targets: [], more: true })).toEqual({
    type: 'targets',
    targets: [],
  });
  for (const wrong of [{ type: 'targets' }, { type: 'bye', code: 1 }, { type: 1 }, {}, [], null, 'surprise'])
    expect(ReceivedRelayMessage.safeParse(wrong).success).toBe(false);
});

test('an agent without a list of features has none', () => {
  const hello = { type: 'hello', protocol: 1, agentVersion: '0.1.0', platform: '', publicKey: 'k'.repeat(43) };
  expect(AgentMessage.parse(hello)).toMatchObject({ features: [] });
});

test('a login proof is bound to the nonce and to the certificate of the relay', () => {
  expect(loginProof('n0nce', 'p1n').toString()).toBe('tongtu login v1\nn0nce\np1n');
});
