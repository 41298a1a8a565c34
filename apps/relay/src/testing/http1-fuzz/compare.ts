import { LlhttpReader, type LlhttpReading } from './llhttp-reading.ts';
import type { OurMessage, Head } from './our-reading.ts';
import type { Random } from './random.ts';
import { cutAt, type Reading } from './reading.ts';

/** Both parsers read the same bytes, and not the same messages. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
  constructor(what: string, bytes: Buffer, facts: unknown = '') {
    super(`${what}\n${JSON.stringify(bytes.toString('latin1'))}\n${JSON.stringify(facts)}`);
  }
}

/** Everything that llhttp must read out of those bytes, and no byte later or earlier. Throws Disagreement. */
export function checkAgainstLlhttp(
  bytes: Buffer,
  ours: readonly OurMessage<Head>[],
  { random, method }: { random: Random; method?: string },
): void {
  const llhttp = new LlhttpReader(method);
  let from = 0;
  for (const [index, { head, reading }] of ours.entries()) {
    const isUntilClose = head.framing.type === 'until-close';
    const lastByte = isUntilClose ? reading.end : reading.end - 1;
    for (const piece of cutAt(bytes.subarray(from, lastByte), someCuts(random, lastByte - from))) llhttp.push(piece);
    if (llhttp.readings.length !== index) throw new Disagreement('a message ends sooner', bytes, [reading, llhttp]);
    if (isUntilClose) llhttp.finish();
    else llhttp.push(bytes.subarray(lastByte, reading.end));
    const theirs = llhttp.readings[index];
    if (llhttp.error !== undefined) throw new Disagreement(`llhttp: ${llhttp.error.message}`, bytes, reading);
    if (theirs === undefined || llhttp.isInside) throw new Disagreement('a message ends later', bytes, reading);
    compare(bytes, reading, theirs, { isHeadAnswer: method === 'HEAD' });
    // What follows is no HTTP, or not to llhttp: the relay alone decides about the change.
    if (theirs.isUpgrade) return;
    // An interim answer that closes: llhttp reads no more, for the relay the final one closes or does not.
    if (!theirs.keepsAlive && ours[index + 1] !== undefined) return;
    from = reading.end;
  }
}

/** The relay's reading may differ where it is the safer one: closing, or not switching protocols, harms nobody. */
function compare(
  bytes: Buffer,
  ours: Reading,
  theirs: LlhttpReading,
  { isHeadAnswer }: { isHeadAnswer: boolean },
): void {
  const isSame =
    ours.start === inOriginForm(theirs.start) &&
    ours.body === theirs.body &&
    isSameList(ours.fields, theirs.fields) &&
    isSameList(ours.trailers, theirs.trailers) &&
    // That an answer to HEAD has no body is more than llhttp knows when it says this.
    (!ours.keepsAlive || theirs.keepsAlive || isHeadAnswer) &&
    (!ours.isUpgrade || theirs.isUpgrade);
  if (!isSame) throw new Disagreement('a message is read differently', bytes, [ours, theirs]);
}

/** llhttp leaves it to its users what scheme and host in a request target are good for; the relay takes them off. */
function inOriginForm(start: string): string {
  const [, method, path = '', version] = /^([A-Z-]+) https?:\/\/[^/?]*([/?]\S*)? (1[01])$/i.exec(start) ?? [];
  if (method === undefined) return start;
  if (path === '') return `${method} ${method === 'OPTIONS' ? '*' : '/'} ${version}`;
  return `${method} ${path.startsWith('?') ? '/' : ''}${path} ${version}`;
}

export function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}

function someCuts(random: Random, length: number): number[] {
  if (length < 1 || random.chance(0.5)) return [];
  return Array.from({ length: 1 + random.below(3) }, () => random.below(length)).toSorted((a, b) => a - b);
}
