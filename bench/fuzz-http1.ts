/**
 * Parses requests and answers in the shapes of request smuggling with the relay's parser and with llhttp. It exits with
 * 1 at the first message that the relay accepts and llhttp reads differently. The same seed produces the same inputs.
 *
 * `node bench/fuzz-http1.ts [count] [seed]`: three million by default, with a seed that is printed.
 */
import { Disagreement, fuzzHttp1 } from '@tongtu/relay/testing/http1-fuzz';

const ROUND = 100_000;

const [count = 3_000_000, seed = Math.floor(Math.random() * 2 ** 31)] = process.argv.slice(2).map(Number);
if (!Number.isSafeInteger(count) || !Number.isSafeInteger(seed)) throw new Error('count and seed are whole numbers');
console.log(`llhttp ${process.versions.llhttp}, ${count} inputs, seed ${seed}`);
const totals = { inputs: 0, requests: 0, answers: 0, cuts: 0 };
try {
  while (totals.inputs < count) {
    const round = { count: Math.min(ROUND, count - totals.inputs), seed: seed + totals.inputs };
    const { inputs, requests, answers, cuts } = fuzzHttp1(round);
    totals.inputs += inputs;
    totals.requests += requests;
    totals.answers += answers;
    totals.cuts += cuts;
    console.log(
      `${totals.inputs} inputs: ${totals.requests} requests and ${totals.answers} answers accepted, ${totals.cuts} cuts`,
    );
  }
  console.log('no disagreement');
} catch (error) {
  if (!(error instanceof Disagreement)) throw error;
  console.log(error.message);
  process.exitCode = 1;
}
