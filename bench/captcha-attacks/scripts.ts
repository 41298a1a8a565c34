import { drawChallenge, type GivenAnswer, judgeAnswer } from '@tongtu/server/testing/captcha';
import { guess, type Shown } from './answers.ts';
import { attack, fitRims } from './attack.ts';
import { leaningRims, naiveRims, type Trick } from './rim-attacks.ts';

/** What a script would answer, and how likely it is to be right, as far as it knows. */
type Look = { answer: GivenAnswer; chance: number };
export type Script = {
  name: string;
  look: (shown: Shown) => Promise<Look>;
  /** From which chance on it answers, when it may still have so many others in the place of an image. */
  leastChance: (skipsLeft: number) => number;
  /** Images that it fetches at once from each network, by as many browsers, to answer the surest first. */
  atOnce: number;
};

const ELAPSED_MS = 10_000;
const BINS = 20;
const gentle = ['slide', 'drag', 'rotate'] as const;

const difference: Trick = naiveRims['rims, difference']!; // both are named there
const bestTrick = (gap: number): Trick => leaningRims(gap)['rims, hues and mean slant']!;
const answerAll = { leastChance: () => 0, atOnce: 1 };

/** The scripts whose tickets are counted. The last two have practised on `images` of each kind and choose what to answer. */
export async function makeScripts(images: number): Promise<Script[]> {
  const practised = await practise(images);
  return [
    { name: 'random', look: async (shown) => ({ answer: guess(shown), chance: 0 }), ...answerAll },
    { name: 'difference', look: async (shown) => unsure(await fitRims(shown, () => difference)), ...answerAll },
    { name: 'template', look: lookNaively, ...answerAll },
    { name: 'slant', look: async (shown) => unsure(await fitRims(shown, bestTrick)), ...answerAll },
    { name: 'slant with skipping', look: practised.look, leastChance: practised.leastChance, atOnce: 1 },
    { name: 'slant with eleven at once', look: practised.look, leastChance: () => 0, atOnce: 11 },
  ];
}

const unsure = ({ answer }: { answer: GivenAnswer }): Look => ({ answer, chance: 0 });

/** The best naive trick for each kind. */
async function lookNaively(shown: Shown): Promise<Look> {
  const { naive } = await attack(shown);
  return { answer: naive[shown.type === 'rotate' ? 'symmetry' : 'template match']!, chance: 0 }; // each kind has its own
}

/** Learns from images of its own how often the best trick is right when it fits so well. */
async function practise(images: number): Promise<Pick<Script, 'look' | 'leastChance'>> {
  const chanceOf = new Map<Shown['type'], (score: number) => number>();
  const chances: number[] = [];
  for (const type of gentle) {
    const tries: { score: number; isRight: boolean }[] = [];
    for (let i = 0; i < images; i++) {
      const drawing = await drawChallenge(type);
      const { answer, score } = await fitRims(drawing, bestTrick);
      tries.push({ score, isRight: judgeAnswer(drawing.answer, answer, ELAPSED_MS) });
    }
    const bins = binsOf(tries);
    chanceOf.set(type, (score) => bins.findLast(({ from }) => score >= from)?.chance ?? bins[0]?.chance ?? 0);
    chances.push(...bins.map(({ chance }) => chance));
  }
  return {
    async look(shown) {
      const { answer, score } = await fitRims(shown, bestTrick);
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

/** The chance of the next answer, if images are skipped no more often than that and never for a worse one. */
function bestChance(chances: readonly number[], skips: number): number {
  const others = skips > 0 ? bestChance(chances, skips - 1) : 0;
  return chances.reduce((sum, chance) => sum + Math.max(chance, others), 0) / chances.length;
}
