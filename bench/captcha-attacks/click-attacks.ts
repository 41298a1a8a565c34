import { at, blur, type Pixels } from './pixels.ts';
import { correlation, type Place } from './tile-attacks.ts';

const WANTED = 4;
const GLYPH = 36;

/** How much a pixel differs from its wider surroundings: characters stand out. */
function contrast(picture: Pixels): Float32Array {
  const near = blur(picture, 1).light;
  const far = blur(picture, 18).light;
  return near.map((light, i) => Math.min(Math.abs(light - at(far, i)), 90));
}

/** The middles of the `count` places with most contrast, at least a character apart: connected parts, as a script finds them. */
export function findParts(picture: Pixels, count: number): Place[] {
  const { width, height } = picture;
  const dense = blur({ width, height, light: contrast(picture) }, GLYPH / 2).light;
  const places: Place[] = [];
  const left = Float32Array.from(dense);
  while (places.length < count) {
    let top = -1;
    let index = 0;
    for (let y = 18; y < height - 18; y++) {
      for (let x = 18; x < width - 18; x++) {
        if (at(left, y * width + x) > top) {
          index = y * width + x;
          top = at(left, index);
        }
      }
    }
    const place = { x: index % width, y: Math.floor(index / width) };
    places.push(place);
    for (let y = Math.max(place.y - 36, 0); y < Math.min(place.y + 36, height); y++) {
      for (let x = Math.max(place.x - 36, 0); x < Math.min(place.x + 36, width); x++) left[y * width + x] = -1;
    }
  }
  return places;
}

/** Any four of the parts in any order. */
export function partsInAnyOrder(picture: Pixels, random: () => number): Place[] {
  const parts = findParts(picture, 8);
  return Array.from({ length: WANTED }, () => parts.splice(Math.floor(random() * parts.length), 1)[0] as Place);
}

const PATCH = 16;

/** A square of `size` around a point as 16 × 16 values of contrast, turned by `turn` radians. */
function patch(values: Float32Array, { width, height }: Pixels, middle: Place, size: number, turn = 0): number[] {
  const out: number[] = [];
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  for (let v = 0; v < PATCH; v++) {
    for (let u = 0; u < PATCH; u++) {
      const [du, dv] = [(u / (PATCH - 1) - 0.5) * size, (v / (PATCH - 1) - 0.5) * size];
      const x = Math.round(middle.x + du * cos - dv * sin);
      const y = Math.round(middle.y + du * sin + dv * cos);
      out.push(x < 0 || y < 0 || x >= width || y >= height ? 0 : at(values, y * width + x));
    }
  }
  return out;
}

/**
 * Lays each character of the thumb over each part, at some offsets, sizes and `turns`, and takes the best that is left.
 */
export function templateMatch(picture: Pixels, thumb: Pixels, turns: readonly number[]): Place[] {
  const parts = findParts(picture, 9);
  const field = contrast(picture);
  const thumbField = contrast(thumb);
  const cell = thumb.width / WANTED;
  const chosen: Place[] = [];
  for (let i = 0; i < WANTED; i++) {
    const wanted = patch(thumbField, thumb, { x: cell * (i + 0.5), y: thumb.height / 2 }, 32);
    let top: { score: number; part: Place } | undefined;
    for (const part of parts.filter((candidate) => !chosen.includes(candidate))) {
      const score = bestFit(field, picture, part, wanted, turns);
      if (!top || score > top.score) top = { score, part };
    }
    chosen.push(top?.part ?? { x: 0, y: 0 });
  }
  return chosen;
}

const offsets = [
  [0, 0],
  [5, 0],
  [-5, 0],
  [0, 5],
  [0, -5],
] as const;

function bestFit(
  field: Float32Array,
  picture: Pixels,
  part: Place,
  wanted: number[],
  turns: readonly number[],
): number {
  let top = -Infinity;
  for (const turn of turns) {
    for (const size of [38, 45]) {
      for (const [dx, dy] of offsets) {
        const found = patch(field, picture, { x: part.x + dx, y: part.y + dy }, size, turn);
        top = Math.max(top, correlation(wanted, found));
      }
    }
  }
  return top;
}
