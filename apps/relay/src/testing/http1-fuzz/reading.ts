/** A complete message as a parser read it, in a form that allows comparing two parsers. Text is latin1. */
export type Reading = {
  /** Method and target, or status and reason, with the version (10 or 11). */
  start: string;
  /** Names and values, alternating. */
  fields: readonly string[];
  body: string;
  trailers: readonly string[];
  /** Where the next message begins. */
  end: number;
  isUpgrade: boolean;
  keepsAlive: boolean;
};

/** The pieces of the bytes after cutting them at these positions, which must be in ascending order. */
export function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    if (cut <= from) continue;
    pieces.push(bytes.subarray(from, cut));
    from = cut;
  }
  return pieces;
}
