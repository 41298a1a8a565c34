import { type Band, makeBand, makeStripes, type Point } from './band.ts';
import { PICTURE } from './picture.ts';
import { between, happens } from './random.ts';

const APART_PIXELS = { min: 22, max: 42 };
/** Pixels to the side per pixel down: shared by all bands of a picture, and how much each deviates. */
const LEAN = { min: 0.3, max: 1.25 };
const OWN_LEAN = 0.4;
/** The radius of the turn. */
const TURN_PIXELS = 16;
/** How far outside the picture leaning bands begin. */
const BEYOND_PIXELS = 220;

/**
 * Makes bands from above the picture to below it, which change their lean in the missing strip, whose centre is at y =
 * `middle`. Matching the edges of strip and tile therefore gives a wrong place, with an error that differs in every
 * picture and at either edge.
 */
export function makeStripBands(middle: number): Band[] {
  const stripes = makeStripes();
  const lean = { above: makeLean(), below: makeLean() };
  const bands: Band[] = [];
  let x = -BEYOND_PIXELS;
  while (x < PICTURE.width + BEYOND_PIXELS) {
    const own = between(-OWN_LEAN, OWN_LEAN);
    bands.push(makeBand(stripes, wayOf({ x, y: middle }, { above: lean.above + own, below: lean.below + own })));
    x += between(APART_PIXELS.min, APART_PIXELS.max);
  }
  return bands;
}

type Lean = { above: number; below: number };

function makeLean(): number {
  return between(LEAN.min, LEAN.max) * (happens(0.5) ? 1 : -1);
}

/** A hyperbola, which is almost straight except at the turn. */
function wayOf(turn: Point, { above, below }: Lean): Point[] {
  const way: Point[] = [];
  for (let y = -10; y <= PICTURE.height + 10; y += 6) {
    const down = y - turn.y;
    const x = turn.x + ((above + below) / 2) * down + ((below - above) / 2) * Math.hypot(down, TURN_PIXELS);
    way.push({ x, y });
  }
  return way;
}
