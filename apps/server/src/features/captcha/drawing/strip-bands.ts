import { type Band, makeBand, makeStripes, type Point } from './band.ts';
import { PICTURE } from './captcha-size.ts';
import { between, happens } from './random.ts';

const APART_PIXELS = { min: 22, max: 42 };
/** Pixels to the side for each one down; what the bands of one picture have in common, and how far each differs. */
const LEAN = { min: 0.3, max: 1.25 };
const OWN_LEAN = 0.4;
/** How softly they turn. */
const TURN_PIXELS = 16;
/** Beyond the picture: bands that lean come in from there. */
const BEYOND_PIXELS = 220;

/**
 * Bands from above the picture to below it, which lean another way after every strip that will be missing; `middles`: its
 * rows. Laid over each other the edges of a strip and of its tile fit best where they do not belong, by a distance that
 * is another one in every picture and at every edge.
 */
export function makeStripBands(middles: readonly number[]): Band[] {
  const stripes = makeStripes();
  const leans = [makeLean(), ...middles.map(makeLean)];
  const bands: Band[] = [];
  let x = -BEYOND_PIXELS;
  while (x < PICTURE.width + BEYOND_PIXELS) {
    bands.push(makeBand(stripes, wayOf({ x, ownLean: between(-OWN_LEAN, OWN_LEAN) }, middles, leans)));
    x += between(APART_PIXELS.min, APART_PIXELS.max);
  }
  return bands;
}

function makeLean(): number {
  return between(LEAN.min, LEAN.max) * (happens(0.5) ? 1 : -1);
}

function wayOf(
  { x, ownLean }: { x: number; ownLean: number },
  middles: readonly number[],
  leans: readonly number[],
): Point[] {
  const [first = 0] = middles;
  const [firstLean = 0] = leans;
  const way: Point[] = [];
  for (let y = -10; y <= PICTURE.height + 10; y += 6) {
    let at = x + (ownLean + firstLean) * (y - first);
    for (const [i, middle] of middles.entries()) {
      const change = (leans[i + 1] ?? 0) - (leans[i] ?? 0);
      at += (change / 2) * (y - middle + Math.hypot(y - middle, TURN_PIXELS));
    }
    way.push({ x: at, y });
  }
  return way;
}
