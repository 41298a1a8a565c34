import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Mux } from './mux.ts';
import type { MuxStream, MuxStreamEvents } from './stream.ts';

/** One end of a stream, with its state in the model. */
type End = {
  stream: MuxStream;
  sent: Buffer[];
  received: Buffer[];
  heldBytes: number;
  hasEnded: boolean;
  hasReset: boolean;
  sawEnd: boolean;
  sawReset: boolean;
  mayWrite: boolean;
};

type Side = { mux: Mux; ends: Map<number, End>; wire: Buffer[]; closes: number };

/** Two muxes with a wire between them. The test moves its bytes in pieces of any size. */
class Link {
  readonly client = this.#createSide('client');
  readonly server = this.#createSide('server');

  side(isClient: boolean): Side {
    return isClient ? this.client : this.server;
  }

  open(side: Side): void {
    const end = createEnd();
    end.stream = side.mux.openStream(eventsOf(end));
    side.ends.set(end.stream.id, end);
  }

  /** Moves output of `from` into its wire, and up to `bytes` of the wire to the other side. */
  move(isFromClient: boolean, takeBytes: number, bytes: number): void {
    const from = this.side(isFromClient);
    from.wire.push(...from.mux.takeOutput(takeBytes));
    const all = Buffer.concat(from.wire);
    const cut = Math.min(bytes, all.length);
    from.wire = [all.subarray(cut)];
    if (cut > 0) this.side(!isFromClient).mux.receive(all.subarray(0, cut));
  }

  /** The connection is lost with all that is under way on it, and another one goes on from what each side has. */
  exchange(): void {
    const { client, server } = this;
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      const missing = from.mux.outputSince(to.mux.receivedBytes);
      if (missing === undefined) throw new Error('the bytes are not kept');
      from.wire = missing;
    }
  }

  settle(): void {
    const sides = [this.client, this.server];
    do {
      for (const isClient of [true, false]) {
        this.move(isClient, 1e6, 1e9);
        for (const end of this.side(!isClient).ends.values()) consumeAll(end);
      }
    } while (sides.some(({ mux, wire }) => mux.hasOutput || wire.some(({ length }) => length > 0)));
  }

  #createSide(role: 'client' | 'server'): Side {
    let monotonicMs = 0;
    const ends = new Map<number, End>();
    const side: Side = {
      ends,
      wire: [],
      closes: 0,
      mux: new Mux({
        role,
        isResumable: true,
        monotonicMs: () => (monotonicMs += 0.1),
        onStream(stream) {
          const end = createEnd();
          end.stream = stream;
          ends.set(stream.id, end);
          return eventsOf(end);
        },
        onOutput() {},
        onClose: () => (side.closes += 1),
        limits: { writeHighWaterBytes: 1000 },
      }),
    };
    return side;
  }
}

function createEnd(): End {
  return {
    stream: undefined as unknown as MuxStream, // the caller sets it before the end is used
    sent: [],
    received: [],
    heldBytes: 0,
    hasEnded: false,
    hasReset: false,
    sawEnd: false,
    sawReset: false,
    mayWrite: true,
  };
}

function eventsOf(end: End): MuxStreamEvents {
  return {
    onData(chunk) {
      expect([end.sawEnd, end.sawReset, end.hasReset]).toEqual([false, false, false]);
      end.received.push(Buffer.from(chunk));
      end.heldBytes += chunk.length;
    },
    onEnd() {
      expect([end.sawEnd, end.sawReset, end.hasReset]).toEqual([false, false, false]);
      end.sawEnd = true;
    },
    onReset() {
      expect([end.sawReset, end.hasReset]).toEqual([false, false]);
      end.sawReset = true;
    },
    onDrain() {
      expect(end.mayWrite).toBe(false);
      end.mayWrite = true;
    },
  };
}

function consumeAll(end: End): void {
  end.stream.consumed(end.stream.isClosed ? 0 : end.heldBytes);
  end.heldBytes = 0;
}

type Step =
  | { do: 'open'; isClient: boolean }
  | { do: 'write'; isClient: boolean; pick: number; bytes: number }
  | { do: 'end'; isClient: boolean; pick: number }
  | { do: 'reset'; isClient: boolean; pick: number }
  | { do: 'consume'; isClient: boolean; pick: number }
  | { do: 'ping'; isClient: boolean }
  | { do: 'exchange' }
  | { do: 'move'; isClient: boolean; takeBytes: number; bytes: number };

const isClient = fc.boolean();
const pick = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('open' as const), isClient }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      isClient,
      pick,
      bytes: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 150_000 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('ping' as const), isClient }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('exchange' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), isClient, pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('consume' as const), isClient, pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const), isClient, pick }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      isClient,
      takeBytes: fc.constantFrom(1, 5000, 1_000_000),
      bytes: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 200_000 })),
    }),
  },
);

let written = 0;
function run(link: Link, next: Step): void {
  if (next.do === 'exchange') return link.exchange();
  if (next.do === 'move') return link.move(next.isClient, next.takeBytes, next.bytes);
  const side = link.side(next.isClient);
  if (next.do === 'ping') return void side.mux.ping().catch(() => {}); // rejects when the mux closes
  if (next.do === 'open') return link.open(side);
  const ends = [...side.ends.values()];
  const end = ends[next.pick % ends.length];
  if (end === undefined) return;
  if (next.do === 'consume') return consumeAll(end);
  if (next.do === 'reset') {
    if (!end.stream.isClosed) end.hasReset = true;
    return end.stream.reset();
  }
  if (end.hasEnded) return;
  if (next.do === 'end') {
    end.hasEnded = true;
    return end.stream.end();
  }
  const bytes = Buffer.alloc(next.bytes, ++written);
  end.sent.push(bytes);
  const isDropped = end.stream.isClosed;
  const mayWrite = end.stream.write(bytes);
  if (!isDropped) end.mayWrite = mayWrite;
}

/** Expects that each end received what the other sent: all of it after two ends, a prefix after a reset. */
function check(from: End, to: End): void {
  const sent = Buffer.concat(from.sent);
  const received = Buffer.concat(to.received);
  const isCut = from.hasReset || from.sawReset || to.hasReset || to.sawReset;
  expect(received.equals(isCut ? sent.subarray(0, received.length) : sent)).toBe(true);
  if (!isCut) expect(to.sawEnd).toBe(from.hasEnded);
}

test('streams opened, written, ended and reset in any order, over connections that are lost, deliver their bytes in order and exactly once', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 120 }), (steps) => {
      const link = new Link();
      for (const next of steps) run(link, next);
      link.settle();
      for (const [near, far] of [
        [link.client, link.server],
        [link.server, link.client],
      ] as const) {
        expect(near.closes).toBe(0);
        for (const [id, end] of near.ends) {
          const other = far.ends.get(id);
          if (other !== undefined) check(end, other);
          else expect(end.hasReset).toBe(true); // before the other side received it
        }
      }

      // Everything ends: no stream may be left.
      for (const isFirst of [true, false]) for (const { stream } of link.side(isFirst).ends.values()) stream.end();
      link.settle();
      expect([link.client.mux.streamCount, link.server.mux.streamCount]).toEqual([0, 0]);
      expect([link.client.mux.hasOutput, link.server.mux.hasOutput]).toEqual([false, false]);
      for (const { stream } of [...link.client.ends.values(), ...link.server.ends.values()]) {
        expect([stream.isClosed, stream.queuedBytes]).toEqual([true, 0]);
      }
    }),
    { numRuns: 300 },
  );
});

test('closing a mux at any moment resets every open stream once, on both sides', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, isClosedByClient) => {
      const link = new Link();
      for (const next of steps) run(link, next);
      link.side(isClosedByClient).mux.close();
      link.settle();
      link.side(!isClosedByClient).mux.close();
      for (const side of [link.client, link.server]) {
        expect([side.closes, side.mux.streamCount]).toEqual([1, 0]);
        for (const end of side.ends.values()) {
          const isOver = end.sawReset || end.hasReset || (end.sawEnd && end.hasEnded);
          expect([isOver, end.stream.isClosed, end.stream.queuedBytes]).toEqual([true, true, 0]);
        }
      }
    }),
    { numRuns: 200 },
  );
});
