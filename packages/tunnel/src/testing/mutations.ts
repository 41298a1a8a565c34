/** Mutations of valid bytes, for fuzzing. */
import fc from 'fast-check';

export type Mutation = {
  kind: 'flip' | 'set' | 'insert' | 'remove' | 'repeat' | 'frame' | 'cut';
  /** The position, as a fraction of all bytes. */
  at: number;
  /** The number of bytes, if the kind needs it. */
  length: number;
  bytes: Uint8Array;
};

/** A header with plausible values, so that a frame inserted among others is often valid. */
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

/** `validBytes`: the length of the unchanged prefix. */
export function mutate(valid: Buffer, mutations: readonly Mutation[]): { bytes: Buffer; validBytes: number } {
  let bytes = valid;
  let validBytes = valid.length;
  for (const { kind, at, length, bytes: given } of mutations) {
    const from = Math.floor(bytes.length * at);
    const rest = bytes.subarray(Math.min(bytes.length, from + length));
    const part = bytes.subarray(from, from + length);
    const head = bytes.subarray(0, from);
    validBytes = Math.min(validBytes, from);
    bytes = Buffer.concat(mutated(kind, { head, part, rest, given }));
  }
  return { bytes, validBytes };
}

function mutated(
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

/** Cuts the bytes into pieces of these sizes, repeatedly. */
export function pieces(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const cut: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = sizes[cut.length % sizes.length] ?? bytes.length;
    cut.push(bytes.subarray(at, at + size));
    at += size;
  }
  return cut;
}
