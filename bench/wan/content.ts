/** The objects of a page, about 2 MB together: many small ones and some large ones. */
export const PAGE_OBJECTS = 40;
const OBJECT_KILOBYTES = [4, 8, 12, 20, 30, 50, 80, 200];

export function objectBytes(n: number): number {
  return (OBJECT_KILOBYTES[n % OBJECT_KILOBYTES.length] ?? 0) * 1024;
}

export const STEADY_BYTES_PER_SECOND = 1_000_000;
/** A prime, so that bytes that were lost, doubled or reordered by whole blocks show. */
const PERIOD = 65_537;
const period = Buffer.from(Array.from({ length: PERIOD }, (_, n) => (n * 31 + (n >> 8)) & 0xff));

/** The steady download's bytes from a position on. */
export function steadyBytes(from: number, length: number): Buffer {
  const start = from % PERIOD;
  const periods = Math.ceil((start + length) / PERIOD);
  return Buffer.concat(Array.from({ length: periods }, () => period)).subarray(start, start + length);
}
