/** Ways to spoil bytes that were sound, for fuzzing. */
import fc from 'fast-check';

export type Mutation = {
  kind: 'flip' | 'set' | 'insert' | 'remove' | 'repeat' | 'frame' | 'cut';
  /** Where, as a share of all the bytes. */
  at: number;
  /** How many bytes, where that matters. */
  length: number;
  bytes: Uint8Array;
};

/** What stands in headers of every kind, so that a frame in the middle of others is not always nonsense. */
const frame = fc
  .record({
    version: fc.oneof({ weight: 20, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 255 }) }),
    type: fc.nat({ max: 4 }),
    flags: fc.nat({ max: 16 }),
    streamId: fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 0xffff_ffff })),
    length: fc.oneof(fc.nat({ max: 20 }), fc.constantFrom(0x7fff_ffff, 0xffff_ffff, 262_144, 262_145)),
  })
  .map(({ version, type, flags, streamId, length }) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt8(version, 0);
    bytes.writeUInt8(type, 1);
    bytes.writeUInt16BE(flags, 2);
    bytes.writeUInt32BE(streamId, 4);
    bytes.writeUInt32BE(length, 8);
    return bytes as Uint8Array;
  });

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('flip', 'set', 'insert', 'remove', 'repeat', 'frame', 'frame', 'frame', 'cut'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.oneof(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 2000 })),
  bytes: fc.oneof(frame, fc.uint8Array({ minLength: 1, maxLength: 24 })),
});

/** `soundBytes`: how many at the beginning are as they were. */
export function mutate(honest: Buffer, mutations: readonly Mutation[]): { bytes: Buffer; soundBytes: number } {
  let bytes = honest;
  let soundBytes = honest.length;
  for (const { kind, at, length, bytes: given } of mutations) {
    const from = Math.floor(bytes.length * at);
    const rest = bytes.subarray(Math.min(bytes.length, from + length));
    const part = bytes.subarray(from, from + length);
    const head = bytes.subarray(0, from);
    soundBytes = Math.min(soundBytes, from);
    bytes = Buffer.concat(spoiled(kind, { head, part, rest, given }));
  }
  return { bytes, soundBytes };
}

function spoiled(
  kind: Mutation['kind'],
  { head, part, rest, given }: { head: Buffer; part: Buffer; rest: Buffer; given: Uint8Array },
): Uint8Array[] {
  switch (kind) {
    case 'flip':
      return [head, part.map((byte, index) => (index === 0 ? byte ^ (1 << ((given[0] ?? 0) % 8)) : byte)), rest];
    case 'set':
      return [head, given, part.subarray(given.length), rest];
    case 'insert':
    case 'frame':
      return [head, given, part, rest];
    case 'remove':
      return [head, rest];
    case 'repeat':
      return [head, part, part, rest];
    case 'cut':
      return [head];
  }
}

/** The bytes in pieces of these sizes, over and over. */
export function pieces(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const cut: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = sizes[cut.length % sizes.length] ?? bytes.length;
    cut.push(bytes.subarray(at, at + size));
    at += size;
  }
  return cut;
}
