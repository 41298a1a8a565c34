import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mutation, mutate, pieces } from '../testing/mutations.ts';
import { FIRST_WINDOW_BYTES } from './flow-control.ts';
import { HEADER_BYTES } from './frame.ts';
import { Mux } from './mux.ts';
import type { MuxStream } from './stream.ts';

const MAX_STREAMS = 8;
const MAX_URGENT_BYTES = 4096;

type Op = { do: 'open' | 'write' | 'end' | 'reset' | 'ping'; pick: number; bytes: number };

const op: fc.Arbitrary<Op> = fc.record({
  do: fc.constantFrom('open', 'open', 'write', 'write', 'write', 'end', 'reset', 'ping'),
  pick: fc.nat({ max: 12 }),
  bytes: fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 3000 })),
});

/** The bytes of a valid peer on the wire. */
function honestBytes(ops: readonly Op[]): Buffer {
  const mux = new Mux({ role: 'client', monotonicMs: () => 0, onStream: () => silent, onOutput() {}, onClose() {} });
  const streams: MuxStream[] = [];
  const wire: Buffer[] = [];
  for (const [index, { do: what, pick, bytes }] of ops.entries()) {
    const stream = streams[pick % streams.length];
    if (what === 'open' && streams.length < MAX_STREAMS) streams.push(mux.openStream(silent));
    else if (what === 'write' && stream?.isWritable === true) stream.write(Buffer.alloc(bytes, index));
    else if (what === 'end') stream?.end();
    else if (what === 'reset') stream?.reset();
    else if (what === 'ping') mux.ping().catch(() => {}); // nobody answers
    wire.push(...mux.takeOutput(Number.MAX_SAFE_INTEGER));
  }
  return Buffer.concat(wire);
}

const silent = { onData() {}, onEnd() {}, onReset() {}, onDrain() {} };

/** Our mux. It answers each stream, reads slowly or not at all, and counts the bytes that it holds. */
class Receiver {
  readonly delivered = new Map<number, Buffer>();
  readonly mux: Mux;
  closes = 0;
  heldBytes = 0;

  constructor({ isConsuming }: { isConsuming: boolean }) {
    this.mux = new Mux({
      role: 'server',
      monotonicMs: () => 0,
      limits: { maxStreams: MAX_STREAMS, maxUrgentBytes: MAX_URGENT_BYTES, maxGrownWindowBytes: 0 },
      onOutput() {},
      onClose: () => this.closes++,
      onStream: (stream) => {
        stream.write(Buffer.from('answer'));
        this.delivered.set(stream.id, Buffer.alloc(0));
        let heldBytes = 0;
        return {
          onData: (chunk) => {
            this.delivered.set(stream.id, Buffer.concat([this.delivered.get(stream.id) ?? chunk, chunk]));
            heldBytes += isConsuming ? 0 : chunk.length;
            this.heldBytes += isConsuming ? 0 : chunk.length;
            if (isConsuming) stream.consumed(chunk.length);
          },
          onEnd: () => stream.end(),
          onReset: () => (this.heldBytes -= heldBytes),
          onDrain() {},
        };
      },
    });
  }

  receive(bytes: readonly Buffer[]): void {
    for (const piece of bytes) this.mux.receive(piece);
  }
}

test('when the bytes of a valid peer are mutated, the bytes before arrive, nothing is thrown and memory stays bounded', () => {
  let closed = 0;
  fc.assert(
    fc.property(
      fc.array(op, { minLength: 3, maxLength: 40 }),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      (ops, mutations, sizes, isConsuming) => {
        const { bytes, validBytes } = mutate(honestBytes(ops), mutations);
        const sound = new Receiver({ isConsuming });
        sound.receive([bytes.subarray(0, validBytes)]);
        expect(sound.closes).toBe(0);

        const receiver = new Receiver({ isConsuming });
        receiver.receive(pieces(bytes, sizes));
        for (const [id, expected] of sound.delivered) {
          expect(receiver.delivered.get(id)?.subarray(0, expected.length).equals(expected)).toBe(true);
        }
        expect(receiver.heldBytes).toBeLessThanOrEqual(MAX_STREAMS * FIRST_WINDOW_BYTES);
        expect(receiver.mux.streamCount).toBeLessThanOrEqual(MAX_STREAMS);
        const output = Buffer.concat(receiver.mux.takeOutput(Number.MAX_SAFE_INTEGER)).length;
        // Its replies, and an answer, an update and an end for every open stream.
        const ownBytes = MAX_STREAMS * ('answer'.length + 3 * HEADER_BYTES);
        expect(output).toBeLessThanOrEqual(MAX_URGENT_BYTES + HEADER_BYTES + ownBytes);
        expect(receiver.closes).toBe(receiver.mux.isClosed ? 1 : 0);
        closed += receiver.closes;
        receiver.mux.close();
        expect([receiver.closes, receiver.mux.streamCount]).toEqual([1, 0]);
        receiver.receive([bytes]);
        expect(receiver.mux.takeOutput(1e6).length).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 4000, seed: 20261121 },
  );
  // Otherwise the mutations would be too weak.
  expect(closed).toBeGreaterThan(1000);
});
