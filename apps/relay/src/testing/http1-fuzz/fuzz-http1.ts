import { checkAnswerPassedOn, checkRequestPassedOn } from './check-passed-on.ts';
import { checkAgainstLlhttp, Disagreement } from './compare.ts';
import { requestBytes, responseBytes } from './message-bytes.ts';
import { readOurRequests, readOurResponses } from './our-reading.ts';
import { Random } from './random.ts';
import { cutAt, type Reading } from './reading.ts';

export { Disagreement };

/** The share of inputs that are also cut at every position. A few of these take as long as all other checks. */
const CUT_SHARE = 0.004;
const MAX_CUT_BYTES = 600;

type FuzzTotals = { inputs: number; requests: number; answers: number; cuts: number };

/**
 * Checks `count` inputs, requests and answers in turns, the same ones for the same seed. llhttp must read everything
 * that the relay accepts in the same way, before and after forwarding, and the result must not depend on cuts. Throws
 * Disagreement.
 */
export function fuzzHttp1({ count, seed }: { count: number; seed: number }): FuzzTotals {
  const random = new Random(seed);
  const totals: FuzzTotals = { inputs: 0, requests: 0, answers: 0, cuts: 0 };
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0; // otherwise most of the time would be spent on the stack traces of refusals
  try {
    for (; totals.inputs < count; totals.inputs++) {
      if (totals.inputs % 2 === 0) fuzzRequests(random, totals);
      else fuzzAnswers(random, totals);
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return totals;
}

function fuzzRequests(random: Random, totals: FuzzTotals): void {
  const bytes = requestBytes(random);
  const messages = readOurRequests([bytes]);
  totals.requests += messages.length;
  checkAgainstLlhttp(bytes, messages, { random });
  for (const message of messages) checkRequestPassedOn(message);
  if (random.chance(CUT_SHARE)) totals.cuts += checkCuts(bytes, (pieces) => readOurRequests(pieces));
}

function fuzzAnswers(random: Random, totals: FuzzTotals): void {
  const bytes = responseBytes(random);
  const method = random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST']);
  const messages = readOurResponses([bytes], method);
  totals.answers += messages.length;
  checkAgainstLlhttp(bytes, messages, { random, method });
  const isUnchunked = random.chance(0.3);
  for (const message of messages) checkAnswerPassedOn(message, { method, isUnchunked });
  if (random.chance(CUT_SHARE)) totals.cuts += checkCuts(bytes, (pieces) => readOurResponses(pieces, method));
}

/** Checks that the result does not depend on how the network splits the bytes. Returns the number of cuts. */
function checkCuts(bytes: Buffer, read: (pieces: readonly Buffer[]) => { reading: Reading }[]): number {
  if (bytes.length > MAX_CUT_BYTES) return 0;
  const textOf = (pieces: readonly Buffer[]) => JSON.stringify(read(pieces).map(({ reading }) => reading));
  const whole = textOf([bytes]);
  for (let cut = 1; cut < bytes.length; cut++) {
    const parts = textOf(cutAt(bytes, [cut]));
    if (parts !== whole) throw new Disagreement(`cut at ${cut} it is read differently`, bytes, [whole, parts]);
  }
  const bytewise = textOf(cutAt(bytes, [...bytes.keys()]));
  if (bytewise !== whole) throw new Disagreement('byte by byte it is read differently', bytes, [whole, bytewise]);
  return bytes.length;
}
