/** One whole message as a parser understood it, so that two parsers can be compared. Text is latin1. */
export type Reading = {
  /** Method and target, or status and reason, and the version (10 or 11). */
  start: string;
  /** Names and values in turns. */
  fields: readonly string[];
  body: string;
  trailers: readonly string[];
  /** Where the next message begins. */
  end: number;
  isUpgrade: boolean;
  keepsAlive: boolean;
};

/** The pieces that bytes come in when they are cut at these places, which must be in order. */
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
