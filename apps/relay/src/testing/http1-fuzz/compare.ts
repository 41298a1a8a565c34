import { LlhttpReader, type LlhttpReading } from './llhttp-reading.ts';
import type { OurMessage, Head } from './our-reading.ts';
import type { Random } from './random.ts';
import { cutAt, type Reading } from './reading.ts';

/** The two parsers read different messages from the same bytes. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
  constructor(what: string, bytes: Buffer, facts: unknown = '') {
    super(`${what}\n${JSON.stringify(bytes.toString('latin1'))}\n${JSON.stringify(facts)}`);
  }
}

/**
 * Checks that llhttp reads the same messages from the bytes, each of which ends at the same byte. Throws Disagreement.
 */
export function checkAgainstLlhttp(
  bytes: Buffer,
  ours: readonly OurMessage<Head>[],
  { random, method }: { random: Random; method?: string },
): void {
  const llhttp = new LlhttpReader(method);
  let from = 0;
  for (const [index, { head, reading, isRepaired }] of ours.entries()) {
    // Only the relay reads it: what it sends in its place is checked, and nothing else is read from the connection.
    if (isRepaired) {
      if (method === undefined || reading.keepsAlive) throw new Disagreement('a repaired message', bytes, reading);
      return;
    }
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
    // After an upgrade the bytes are not HTTP for llhttp. Whether the relay accepts the upgrade is its own decision.
    if (theirs.isUpgrade) return;
    // llhttp stops after an interim answer with `Connection: close`. For the relay only the final answer decides that.
    if (!theirs.keepsAlive && ours[index + 1] !== undefined) return;
    from = reading.end;
  }
}

/** The relay may differ where its reading is safer: it may close a connection, or refuse to switch protocols. */
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
    // llhttp decides about keep-alive before it knows that an answer to HEAD has no body.
    (!ours.keepsAlive || theirs.keepsAlive || isHeadAnswer) &&
    (!ours.isUpgrade || theirs.isUpgrade);
  if (!isSame) throw new Disagreement('a message is read differently', bytes, [ours, theirs]);
}

/** llhttp leaves absolute request targets to its users. The relay removes their scheme and host. */
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
