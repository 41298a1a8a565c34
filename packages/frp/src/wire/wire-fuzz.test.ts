import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrpError } from '../frp-error.ts';
import { encodeFrpMessage, encodeV2Frame, v2FrameType, type Wire } from './frames.ts';
import { FrpMessageDecoder } from './message-decoder.ts';
import { StreamOpening, V2_MAGIC } from './stream-opening.ts';

const wire = fc.constantFrom<Wire>('v1', 'v2');
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.nat({ max: 12 }),
  added: fc.uint8Array({ maxLength: 12 }),
});
const changes = fc.array(change, { minLength: 1, maxLength: 3 });
const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 });

function messagesOf(version: Wire): Buffer[] {
  return [
    encodeFrpMessage(version, 'Login', { user: 'ab', privilege_key: 'k'.repeat(32), timestamp: 1, pool_count: 1 }),
    encodeFrpMessage(version, 'NewProxy', { proxy_name: 'ab.lan', proxy_type: 'tcp' }),
    encodeFrpMessage(version, 'NewWorkConn', { run_id: 'r' }),
    encodeFrpMessage(version, 'UDPPacket', { c: 'AAAA', l: null, r: { IP: '::1', Port: 7, Zone: '' } }),
  ];
}

function spoil(bytes: Buffer, list: readonly { at: number; removed: number; added: Uint8Array }[]): Buffer {
  return list.reduce<Buffer>((before, { at, removed, added }) => {
    const from = Math.floor(before.length * at);
    return Buffer.concat([before.subarray(0, from), added, before.subarray(from + removed)]);
  }, bytes);
}

function pieces(bytes: Buffer, list: readonly number[]): Buffer[] {
  const cut: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = list[cut.length % list.length] ?? bytes.length;
    cut.push(bytes.subarray(at, at + size));
    at += size;
  }
  return cut;
}

/** Counts the runs that end with FrpError; any other error fails the test. */
function refuses(task: () => void): number {
  try {
    task();
    return 0;
  } catch (error) {
    expect(error).toBeInstanceOf(FrpError);
    return 1;
  }
}

test('whatever becomes of its messages, only an FrpError ends the decoder', () => {
  let refused = 0;
  fc.assert(
    fc.property(wire, changes, sizes, (version, list, cuts) => {
      const decoder = new FrpMessageDecoder(version);
      const bytes = spoil(Buffer.concat(messagesOf(version)), list);
      refused += refuses(() => pieces(bytes, cuts).forEach((piece) => void decoder.push(piece)));
    }),
    { numRuns: 2000, seed: 20261124 },
  );
  expect(refused).toBeGreaterThan(500);
});

test('whatever a stream begins with, only an FrpError ends its opening', () => {
  const openings = (version: Wire) =>
    version === 'v1'
      ? Buffer.concat(messagesOf('v1'))
      : Buffer.concat([V2_MAGIC, encodeV2Frame(v2FrameType.clientHello, Buffer.from('{}')), ...messagesOf('v2')]);
  fc.assert(
    fc.property(wire, fc.oneof(changes, fc.constant([])), sizes, (version, list, cuts) => {
      const opening = new StreamOpening();
      refuses(() => pieces(spoil(openings(version), list), cuts).some((piece) => opening.push(piece) !== undefined));
    }),
    { numRuns: 2000, seed: 20261124 },
  );
});
