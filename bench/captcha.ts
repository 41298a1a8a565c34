/**
 * Measures the CPU cost of drawing captchas, and how often scripts solve them: by guessing, by simple methods, and, on
 * every tenth image, by methods of about a hundred lines. Every script is given a trail that passes, so that only the
 * answers count. Prints JSON: the share of right answers, and the tickets that whole scripts earn from a running
 * product, each from networks without earlier tries.
 * `node bench/captcha.ts [--tries n] [--drawings n] [--kinds a,b] [--networks n] [--scripts a,b]`
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type Drawing, drawChallenge, type GivenAnswer, judgeAnswer } from '@tongtu/server/testing/captcha';
import { type Answers, guess, movedOn } from './captcha-attacks/answers.ts';
import { attack } from './captcha-attacks/attack.ts';
import { type Earned, earnTickets, startTarget } from './captcha-attacks/earn-tickets.ts';
import { makeScripts } from './captcha-attacks/scripts.ts';

const kinds = ['click', 'slide', 'drag', 'rotate'] as const;
const ELAPSED_MS = 10_000;
/** Guesses are cheap, so each image gets more of them when there are few images. */
const MIN_GUESSES = 10_000;
/**
 * Expensive methods only get every tenth image: the better ones, and naive ones that are corrected by their usual
 * error.
 */
const EVERY = 10;
const MAX_MOVED = 30;

const isRight = ({ answer }: Drawing, given: GivenAnswer) => judgeAnswer(answer, given, ELAPSED_MS);

/** Right answers and tries, by method. */
class Tally {
  readonly #counts = new Map<string, { right: number; of: number }>();

  add(name: string, isAnswerRight: boolean): void {
    const count = this.#counts.get(name) ?? { right: 0, of: 0 };
    this.#counts.set(name, { right: count.right + (isAnswerRight ? 1 : 0), of: count.of + 1 });
  }

  shares(): Record<string, number> {
    return Object.fromEntries(
      [...this.#counts].map(([name, { right, of }]) => [name, Number((right / of).toFixed(5))]),
    );
  }
}

/** The result for an author who measures the most frequent error of a method and corrects answers by it. */
class Corrected {
  readonly #tallies = new Map<string, Tally>();

  add(drawing: Drawing, answers: Answers): void {
    for (const [name, given] of Object.entries(answers)) {
      const tally = this.#tallies.get(name) ?? new Tally();
      this.#tallies.set(name, tally);
      for (let by = -MAX_MOVED; by <= MAX_MOVED; by++) {
        const further = movedOn(given, by);
        if (further) tally.add(String(by), isRight(drawing, further));
      }
    }
  }

  shares(): Record<string, number> {
    const best = (tally: Tally) => Math.max(0, ...Object.values(tally.shares()));
    return Object.fromEntries([...this.#tallies].map(([name, tally]) => [name, best(tally)]));
  }
}

async function successRates(kind: (typeof kinds)[number], tries: number) {
  const [random, naive, better] = [new Tally(), new Tally(), new Tally()];
  const corrected = new Corrected();
  const guesses = Math.ceil(MIN_GUESSES / tries);
  for (let i = 0; i < tries; i++) {
    const drawing = await drawChallenge(kind);
    for (let n = 0; n < guesses; n++) random.add('random', isRight(drawing, guess(drawing)));
    const answers = await attack(drawing);
    for (const [name, given] of Object.entries(answers.naive)) naive.add(name, isRight(drawing, given));
    if (i % EVERY !== 0) continue;
    for (const [name, given] of Object.entries(answers.better())) better.add(name, isRight(drawing, given));
    if (kind !== 'click') corrected.add(drawing, answers.naive);
  }
  return {
    tries,
    ...random.shares(),
    naive: naive.shares(),
    ofEveryTenth: { better: better.shares(), naiveCorrected: corrected.shares() },
  };
}

/** CPU time of the whole process, with the encoder's threads. */
async function drawingCost(kind: (typeof kinds)[number], drawings: number) {
  const costs: number[] = [];
  for (let i = 0; i < drawings; i++) {
    const before = process.cpuUsage();
    await drawChallenge(kind);
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000);
  }
  costs.sort((a, b) => a - b);
  const at = (share: number) => Number((costs[Math.floor(share * costs.length)] ?? 0).toFixed(1));
  return { p50: at(0.5), p95: at(0.95) };
}

/** Images of each kind, for the scripts that choose which ones to answer. */
const PRACTICE_PICTURES = 4_000;

async function ticketsEarned(networks: number, wanted: string[] | undefined): Promise<Record<string, unknown>> {
  const scripts = (await makeScripts(PRACTICE_PICTURES)).filter(({ name }) => wanted?.includes(name) ?? true);
  await using product = await startTarget();
  const earned: Record<string, Earned & { ticketsANetwork: number }> = {};
  for (const [i, script] of scripts.entries()) {
    const one = await earnTickets(product, script, { networks, first: i * networks });
    earned[script.name] = { ...one, ticketsANetwork: Number((one.tickets / networks).toFixed(5)) };
    console.error(script.name, JSON.stringify(earned[script.name])); // progress, as it takes minutes
  }
  return earned;
}

const { values: options } = parseArgs({
  options: {
    tries: { type: 'string', default: '10000' },
    drawings: { type: 'string', default: '500' },
    kinds: { type: 'string', default: kinds.join(',') },
    networks: { type: 'string', default: '10000' },
    scripts: { type: 'string' },
  },
});
const [tries, drawings, networks] = [options.tries, options.drawings, options.networks].map(Number) as [
  number,
  number,
  number,
];
const wanted = options.kinds.split(',');
const report: Record<string, unknown> = {};
for (const kind of kinds.filter((name) => wanted.includes(name))) {
  await drawingCost(kind, 50); // warm-up
  const load = loadavg()[0];
  const startedAt = performance.now();
  const cpuMs = drawings > 0 ? await drawingCost(kind, drawings) : undefined;
  const passed = tries > 0 ? await successRates(kind, tries) : undefined;
  report[kind] = { load, minutes: Number(((performance.now() - startedAt) / 60_000).toFixed(1)), cpuMs, passed };
  console.error(kind, JSON.stringify(report[kind])); // progress, as it takes minutes
}
if (networks > 0) report['tickets'] = await ticketsEarned(networks, options.scripts?.split(','));
console.log(JSON.stringify(report, null, 2));
