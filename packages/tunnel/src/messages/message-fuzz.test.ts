import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProtocolError } from '../errors.ts';
import { mutate, mutation, pieces } from '../testing/mutations.ts';
import { DatagramDecoder, encodeDatagram } from './datagrams.ts';
import { encodeMessage, MessageDecoder } from './message-codec.ts';
import { AgentMessage, RelayMessage } from './messages.ts';

const key = 'k'.repeat(43);
const fromAgent = [
  { type: 'hello', protocol: 1, agentVersion: '1.0.0', platform: 'linux x64', publicKey: key, features: ['udp'] },
  { type: 'login', signature: 's'.repeat(86), token: 'tt_x', name: '客厅的 NAS' },
  { type: 'probe_result', correlation: 7, ok: true, step: 'http', ms: 12, seen: 'status_200' },
  { type: 'bye' },
].map((message) => AgentMessage.parse(message));
const target = { mappingId: 1, host: '192.168.1.10', port: 5000, transport: 'tcp' } as const;
const fromRelay = [
  { type: 'challenge', protocol: 1, nonce: key },
  { type: 'welcome', uid: 'a'.repeat(12), epoch: 1, heartbeatMs: 5000, targets: [target], tunnels: [] },
  { type: 'targets', targets: [target, { ...target, mappingId: 2 }] },
  { type: 'probe', correlation: 7, mappingId: 1, protocol: 'http', host: 'nas', port: 80 },
  { type: 'refused', code: 'device.unknown', retry: false },
  { type: 'bye', code: 'relay.stopping', retryAfterMs: 500 },
].map((message) => RelayMessage.parse(message));
const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 6 });
const mutations = fc.array(mutation, { minLength: 1, maxLength: 3 });

test.each([
  ['an agent', fromAgent, () => new MessageDecoder<AgentMessage | RelayMessage>(AgentMessage)],
  ['a relay', fromRelay, () => new MessageDecoder<AgentMessage | RelayMessage>(RelayMessage)],
] as const)(
  'whatever becomes of what %s says, sound messages before it are understood, and only a ProtocolError ends it',
  (_who, messages, open) => {
    let refusals = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...messages), { maxLength: 8 }), mutations, sizes, (said, spoil, cuts) => {
        const { bytes, validBytes } = mutate(Buffer.concat(said.map(encodeMessage)), spoil);
        const sound = open().push(bytes.subarray(0, validBytes));
        expect(sound).toEqual(said.slice(0, sound.length));

        const decoder = open();
        const understood: (AgentMessage | RelayMessage)[] = [];
        try {
          for (const piece of pieces(bytes, cuts)) understood.push(...decoder.push(piece));
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
          refusals++;
          // Messages in the same chunk as the first wrong one are lost with the connection.
          sound.length = Math.min(sound.length, understood.length);
        }
        expect(understood.slice(0, sound.length)).toEqual(sound);
      }),
      { numRuns: 3000, seed: 20261121 },
    );
    expect(refusals).toBeGreaterThan(500);
  },
);

test('JSON of any form is a message or a ProtocolError', () => {
  const types = [...fromAgent, ...fromRelay].map(({ type }) => type);
  const fields = fc.dictionary(
    fc.constantFrom('targets', 'tunnels', 'code', 'protocol', '__proto__', 'x'),
    fc.jsonValue(),
  );
  const text = fc.oneof(
    fc.json({ maxDepth: 6 }),
    fc.tuple(fc.constantFrom(...types), fields).map(([type, rest]) => JSON.stringify({ ...rest, type })),
    fc.integer({ min: 1, max: 20_000 }).map((depth) => '['.repeat(depth)),
    fc
      .integer({ min: 1, max: 20_000 })
      .map((depth) => `{"type":"targets","targets":${'['.repeat(depth)}${']'.repeat(depth)}}`),
  );
  fc.assert(
    fc.property(text, fc.constantFrom(AgentMessage, RelayMessage), (body, schema) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Buffer.byteLength(body));
      const decoder = new MessageDecoder<AgentMessage | RelayMessage>(schema);
      try {
        expect(decoder.push(Buffer.concat([length, Buffer.from(body)]))).toHaveLength(1);
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError);
      }
    }),
    { numRuns: 600, seed: 20261121 },
  );
});

test('datagrams before the first wrong byte arrive complete, and the rest is decoded as datagrams, too', () => {
  const datagram = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(fc.array(datagram, { maxLength: 8 }), mutations, sizes, (sent, spoil, cuts) => {
      const { bytes, validBytes } = mutate(Buffer.concat(sent.map(encodeDatagram)), spoil);
      const sound = new DatagramDecoder().push(bytes.subarray(0, validBytes));
      expect(sound.every((got, index) => got.equals(sent[index] ?? Buffer.of()))).toBe(true);
      const decoder = new DatagramDecoder();
      const got = pieces(bytes, cuts).flatMap((piece) => decoder.push(piece).map((one) => Buffer.from(one)));
      expect(got.slice(0, sound.length)).toEqual(sound.map((one) => Buffer.from(one)));
      // No bytes are added: each datagram takes its own bytes and two for the length.
      expect(got.reduce((sum, { length }) => sum + length + 2, 0)).toBeLessThanOrEqual(bytes.length);
    }),
    { numRuns: 2000, seed: 20261121 },
  );
});
