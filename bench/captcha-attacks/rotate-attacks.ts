import { at, type Pixels } from './pixels.ts';
import { correlation } from './tile-attacks.ts';

const STEPS = 360;

function around({ width, rgba }: Pixels, radius: number): number[][] {
  const middle = width / 2;
  return Array.from({ length: STEPS }, (_, degrees) => {
    const angle = (degrees * Math.PI) / 180;
    const x = Math.round(middle + Math.cos(angle) * radius);
    const y = Math.round(middle + Math.sin(angle) * radius);
    return [0, 1, 2].map((channel) => at(rgba, (y * width + x) * 4 + channel));
  });
}

/** Averages over three neighbouring circles: less noise. */
function profile(picture: Pixels, radius: number): number[][] {
  const circles = [-1, 0, 1].map((offset) => around(picture, radius + offset));
  return Array.from({ length: STEPS }, (_, i) =>
    [0, 1, 2].map((channel) => circles.reduce((sum, circle) => sum + at(circle[i] ?? [], channel), 0) / 3),
  );
}

/** The turn at which the rim of the middle is most like the inner edge of what is around it. */
export function rimCorrelation(ring: Pixels, middle: Pixels, gap: number): number {
  const inner = profile(middle, middle.width / 2 - 3);
  const outer = profile(ring, middle.width / 2 + gap + 3).flat();
  let top = { score: -Infinity, angle: 0 };
  for (let angle = 0; angle < STEPS; angle++) {
    const turned = Array.from({ length: STEPS }, (_, i) => inner[(i - angle + STEPS) % STEPS] ?? []).flat();
    const score = correlation(turned, outer);
    if (score > top.score) top = { score, angle };
  }
  return top.angle;
}

/** Turns the middle until its left half mirrors its right one best, as if what is upright were symmetric. */
export function symmetry(middle: Pixels): number {
  const circles = [20, 32, 44, 56].map((radius) => profile(middle, radius).map((rgb) => at(rgb, 1)));
  let top = { score: -Infinity, angle: 0 };
  for (let axis = 0; axis < STEPS; axis++) {
    const [near, far]: [number[], number[]] = [[], []];
    for (const circle of circles) {
      for (let i = 1; i < STEPS / 2; i += 3) {
        near.push(at(circle, (axis + i) % STEPS));
        far.push(at(circle, (axis - i + STEPS) % STEPS));
      }
    }
    const score = correlation(near, far);
    if (score > top.score) top = { score, angle: (270 - axis + STEPS) % STEPS };
  }
  return top.angle;
}
