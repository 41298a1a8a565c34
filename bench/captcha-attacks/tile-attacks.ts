import { at, blur, edges, type Pixels } from './pixels.ts';

export type Place = { x: number; y: number };
export type TileTask = { picture: Pixels; tile: Pixels; rowY: number | undefined };
type Offset = { dx: number; dy: number };

const SLIDE_FROM = 12;
const APART_PIXELS = 25;

/** Every `step`th place that the tile can be moved to: in its row only, when it slides. */
function placesOf({ picture, tile, rowY }: TileTask, step: number): Place[] {
  const found: Place[] = [];
  const [firstY, lastY] = rowY === undefined ? [0, picture.height - tile.height] : [rowY, rowY];
  for (let y = firstY; y <= lastY; y += step) {
    for (let x = rowY === undefined ? 0 : SLIDE_FROM; x <= picture.width - tile.width; x += step) found.push({ x, y });
  }
  return found;
}

type Scored = { place: Place; score: number };
type Score = (place: Place) => number;

/** The places that score best, apart from each other; looked for coarsely, then to the pixel. */
function bestPlaces(task: TileTask, count: number, score: Score): Scored[] {
  const coarse = placesOf(task, 2).map((place) => ({ place, score: score(place) }));
  coarse.sort((a, b) => b.score - a.score);
  const found: Scored[] = [];
  for (const candidate of coarse) {
    if (found.length === count) break;
    if (found.every(({ place }) => isApart(place, candidate.place))) found.push(refine(task, candidate, score));
  }
  return found.toSorted((a, b) => b.score - a.score);
}

function isApart(a: Place, b: Place): boolean {
  return Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) > APART_PIXELS;
}

function refine({ picture, tile, rowY }: TileTask, from: Scored, score: Score): Scored {
  let top = from;
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      const place = { x: from.place.x + dx, y: rowY ?? from.place.y + dy };
      const fits = place.x >= 0 && place.y >= 0 && place.x <= picture.width - tile.width;
      if (!fits || place.y > picture.height - tile.height) continue;
      const found = score(place);
      if (found > top.score) top = { place, score: found };
    }
  }
  return top;
}

function best(task: TileTask, score: Score): Place {
  return bestPlaces(task, 3, score)[0]?.place ?? { x: 0, y: 0 };
}

function isOpaque(tile: Pixels, x: number, y: number): boolean {
  return x >= 0 && y >= 0 && x < tile.width && y < tile.height && at(tile.rgba, (y * tile.width + x) * 4 + 3) > 128;
}

/** The tile's own pixels, `inset` of its outline left out; or with `rim`, only those beside the outline. */
function insideOf(tile: Pixels, inset: number): Offset[] {
  const found: Offset[] = [];
  for (let dy = 0; dy < tile.height; dy++) {
    for (let dx = 0; dx < tile.width; dx++) {
      const around = [
        [inset, 0],
        [-inset, 0],
        [0, inset],
        [0, -inset],
      ] as const;
      if (isOpaque(tile, dx, dy) && around.every(([ox, oy]) => isOpaque(tile, dx + ox, dy + oy)))
        found.push({ dx, dy });
    }
  }
  return found;
}

function outlineOf(tile: Pixels): Offset[] {
  const inner = new Set(insideOf(tile, 2).map(({ dx, dy }) => dy * tile.width + dx));
  return insideOf(tile, 1).filter(({ dx, dy }) => !inner.has(dy * tile.width + dx));
}

/** Where the picture is darkest (or lightest) under the tile. */
export function darkest(task: TileTask, sign: 1 | -1): Place {
  const { light, width } = task.picture;
  const inside = insideOf(task.tile, 3).filter((_, i) => i % 9 === 0);
  return best(task, ({ x, y }) => {
    let sum = 0;
    for (const { dx, dy } of inside) sum -= at(light, (y + dy) * width + x + dx);
    return sum * sign;
  });
}

/** Where the tile's outline lies on the strongest edges. */
export function strongestEdge(task: TileTask): Place {
  const strength = edges(blur(task.picture, 1));
  const outline = outlineOf(task.tile);
  return best(task, ({ x, y }) => alongOutline(strength, task.picture.width, outline, { x, y }));
}

function alongOutline(strength: Float32Array, width: number, outline: Offset[], { x, y }: Place): number {
  let sum = 0;
  for (const { dx, dy } of outline) sum += Math.min(at(strength, (y + dy) * width + x + dx), 80);
  return sum;
}

/** Where the picture is most like the tile (normalised correlation of the brightness). */
export function mostAlike(task: TileTask): Place {
  const { light, width } = blur(task.picture, 1);
  const tile = blur(task.tile, 1).light;
  const inside = insideOf(task.tile, 4).filter((_, i) => i % 5 === 0);
  const wanted = inside.map(({ dx, dy }) => at(tile, dy * task.tile.width + dx));
  const offsets = inside.map(({ dx, dy }) => dy * width + dx);
  const seen = new Float32Array(wanted.length);
  return best(task, ({ x, y }) => {
    for (let i = 0; i < seen.length; i++) seen[i] = at(light, y * width + x + at(offsets, i));
    return correlation(wanted, seen);
  });
}

export function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [da, db] = [at(a, i) - meanA, at(b, i) - meanB];
    ab += da * db;
    aa += da * da;
    bb += db * db;
  }
  return ab / Math.sqrt(aa * bb + 1e-6);
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += at(values, i);
  return sum / values.length;
}

/**
 * More than naive: the holes by their outline first, then the one whose surroundings go on in the tile, in colour.
 */
export function edgeThenSurroundings(task: TileTask, holes: number): Place {
  const strength = edges(blur(task.picture, 1));
  const outline = outlineOf(task.tile);
  const found = bestPlaces(task, holes, (place) => alongOutline(strength, task.picture.width, outline, place));
  const fits = found.map(({ place }) => ({ place, fit: surroundingsFit(task, outline, place) }));
  return fits.toSorted((a, b) => b.fit - a.fit)[0]?.place ?? { x: 0, y: 0 };
}

function surroundingsFit({ picture, tile }: TileTask, outline: Offset[], { x, y }: Place): number {
  const middle = tile.width / 2;
  const inner: number[] = [];
  const outer: number[] = [];
  for (const { dx, dy } of outline) {
    const away = Math.hypot(dx - middle, dy - middle);
    const step = (by: number) => [
      Math.round(dx + ((dx - middle) / away) * by),
      Math.round(dy + ((dy - middle) / away) * by),
    ];
    const [ix, iy] = step(-4) as [number, number];
    const [ox, oy] = step(4) as [number, number];
    if (!isOpaque(tile, ix, iy) || isOpaque(tile, ox, oy)) continue;
    const [px, py] = [x + ox, y + oy];
    if (px < 0 || py < 0 || px >= picture.width || py >= picture.height) continue;
    for (let channel = 0; channel < 3; channel++) {
      inner.push(at(tile.rgba, (iy * tile.width + ix) * 4 + channel));
      outer.push(at(picture.rgba, (py * picture.width + px) * 4 + channel));
    }
  }
  return correlation(inner, outer);
}
