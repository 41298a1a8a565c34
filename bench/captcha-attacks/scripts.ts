import { drawChallenge, type GivenAnswer, judgeAnswer } from '@tongtu/server/testing/captcha';
import { guess, type Shown } from './answers.ts';
import { attack, fitRims } from './attack.ts';
import { leaningRims, naiveRims, type Method } from './rim-attacks.ts';

/** A script's answer and its estimated probability of being right. */
type Look = { answer: GivenAnswer; chance: number };
export type Script = {
  name: string;
  look: (shown: Shown) => Promise<Look>;
  /** The least probability with which it answers, while it may still replace this many images. */
  leastChance: (skipsLeft: number) => number;
  /** Images that it requests at once from each network, by as many browsers, to answer the most certain first. */
  atOnce: number;
};

const ELAPSED_MS = 10_000;
const BINS = 20;
const gentle = ['slide', 'drag', 'rotate'] as const;

const difference: Method = naiveRims['rims, difference']!; // both are in the table
const bestMethod = (gap: number): Method => leaningRims(gap)['rims, hues and mean slant']!;
const answerAll = { leastChance: () => 0, atOnce: 1 };

/**
 * The scripts whose tickets are counted. The last two have trained on `images` of each kind and choose what to answer.
 */
export async function makeScripts(images: number): Promise<Script[]> {
  const practised = await practise(images);
  return [
    { name: 'random', look: async (shown) => ({ answer: guess(shown), chance: 0 }), ...answerAll },
    { name: 'difference', look: async (shown) => unsure(await fitRims(shown, () => difference)), ...answerAll },
    { name: 'template', look: lookNaively, ...answerAll },
    { name: 'slant', look: async (shown) => unsure(await fitRims(shown, bestMethod)), ...answerAll },
    { name: 'slant with skipping', look: practised.look, leastChance: practised.leastChance, atOnce: 1 },
    { name: 'slant with eleven at once', look: practised.look, leastChance: () => 0, atOnce: 11 },
  ];
}

const unsure = ({ answer }: { answer: GivenAnswer }): Look => ({ answer, chance: 0 });

/** The best naive method for each kind. */
async function lookNaively(shown: Shown): Promise<Look> {
  const { naive } = await attack(shown);
  return { answer: naive[shown.type === 'rotate' ? 'symmetry' : 'template match']!, chance: 0 }; // each kind has its own
}

/** Learns from its own images how often the best method is right at which score. */
async function practise(images: number): Promise<Pick<Script, 'look' | 'leastChance'>> {
  const chanceOf = new Map<Shown['type'], (score: number) => number>();
  const chances: number[] = [];
  for (const type of gentle) {
    const tries: { score: number; isRight: boolean }[] = [];
    for (let i = 0; i < images; i++) {
      const drawing = await drawChallenge(type);
      const { answer, score } = await fitRims(drawing, bestMethod);
      tries.push({ score, isRight: judgeAnswer(drawing.answer, answer, ELAPSED_MS) });
    }
    const bins = binsOf(tries);
    chanceOf.set(type, (score) => bins.findLast(({ from }) => score >= from)?.chance ?? bins[0]?.chance ?? 0);
    chances.push(...bins.map(({ chance }) => chance));
  }
  return {
    async look(shown) {
      const { answer, score } = await fitRims(shown, bestMethod);
      return { answer, chance: chanceOf.get(shown.type)?.(score) ?? 0 };
    },
    leastChance: (skipsLeft) => (skipsLeft > 0 ? bestChance(chances, skipsLeft - 1) : 0),
  };
}

function binsOf(tries: { score: number; isRight: boolean }[]): { from: number; chance: number }[] {
  const sorted = tries.toSorted((a, b) => a.score - b.score);
  return Array.from({ length: BINS }, (_, i) => {
    const bin = sorted.slice((i * sorted.length) / BINS, ((i + 1) * sorted.length) / BINS);
    const right = bin.filter(({ isRight }) => isRight).length;
    return { from: bin[0]?.score ?? 0, chance: right / Math.max(bin.length, 1) };
  });
}

/**
 * The probability of a right answer when up to `skips` images are replaced, each one only if the next is expected to be
 * better.
 */
function bestChance(chances: readonly number[], skips: number): number {
  const others = skips > 0 ? bestChance(chances, skips - 1) : 0;
  return chances.reduce((sum, chance) => sum + Math.max(chance, others), 0) / chances.length;
}
