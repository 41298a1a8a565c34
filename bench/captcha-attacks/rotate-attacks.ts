import { at, correlation, type Pixels } from './pixels.ts';
import { meanOfRows, roundRim } from './rims.ts';

const STEPS = 360;
/** The sample points on each circle, three degrees apart. */
const PAIRS = 60;

/** Rotates the inner circle until its left half mirrors its right one best, as if upright images were symmetric. */
export function symmetry(middle: Pixels): number {
  const circles = [20, 32, 44, 56].map((radius) => meanOfRows(roundRim(middle, radius, 1, 3), 0, 3));
  const [near, far] = [new Float32Array(circles.length * PAIRS), new Float32Array(circles.length * PAIRS)];
  let top = { score: -Infinity, angle: 0 };
  for (let axis = 0; axis < STEPS; axis++) {
    let count = 0;
    for (const circle of circles) {
      for (let i = 1; i < STEPS / 2; i += 3) {
        near[count] = at(circle, ((axis + i) % STEPS) * 3 + 1);
        far[count] = at(circle, ((axis - i + STEPS) % STEPS) * 3 + 1);
        count++;
      }
    }
    const score = correlation(near, far);
    if (score > top.score) top = { score, angle: (270 - axis + STEPS) % STEPS };
  }
  return top.angle;
}
