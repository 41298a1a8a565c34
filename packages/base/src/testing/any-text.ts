import fc from 'fast-check';

/** Any code points, halves of surrogate pairs too. `unit: 'binary'` first makes a table of all, which takes a second. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.nat(0x10_ff_ff).map((point) => String.fromCodePoint(point)), maxLength });
}
