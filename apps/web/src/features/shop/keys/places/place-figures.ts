import type { Place } from '@tongtu/contract';

export type PlaceFigures = { made: number; sold: number; redeemed: number; worthFen: number };

/** A redeemed key was handed out before, whether or not somebody marked it so. */
export function figuresOf({ counts, worth_fen: worthFen }: Pick<Place, 'counts' | 'worth_fen'>): PlaceFigures {
  const { issued, redeemed } = counts;
  const made = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { made, sold: issued + redeemed, redeemed, worthFen };
}

export function addFigures(list: readonly PlaceFigures[]): PlaceFigures {
  return list.reduce(
    (sum, each) => ({
      made: sum.made + each.made,
      sold: sum.sold + each.sold,
      redeemed: sum.redeemed + each.redeemed,
      worthFen: sum.worthFen + each.worthFen,
    }),
    { made: 0, sold: 0, redeemed: 0, worthFen: 0 },
  );
}
