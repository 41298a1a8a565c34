import { type Answers, moved, type Place } from './answers.ts';
import { at, blur, correlation, type Pixels, slopes } from './pixels.ts';

/** `rows`: where the tile's upper edge may be. A script recognizes the strip at once. */
export type TileTask = { image: Pixels; tile: Pixels; rows: readonly number[] };
type Score = (place: Place) => number;

/** The rows where the tile may start: `gap` below each upper edge of an area that is grey over the whole width. */
export function findRows(image: Pixels, gap: number): number[] {
  const { width, height, rgba } = image;
  const isGrey = (row: number) => {
    let colour = 0;
    for (let i = row * width; i < (row + 1) * width; i++)
      colour += Math.abs(at(rgba, i * 4) - at(rgba, i * 4 + 1)) + Math.abs(at(rgba, i * 4) - at(rgba, i * 4 + 2));
    return colour / width < 16;
  };
  const found: number[] = [];
  for (let row = 1; row < height - 2 * gap; row++) {
    if (!isGrey(row) || isGrey(row - 1)) continue;
    found.push(row + gap);
    row += 2 * gap;
  }
  return found;
}

function best({ image, tile, rows }: TileTask, score: Score): Place {
  let top = { score: -Infinity, place: { x: 0, y: 0 } };
  for (const y of rows) {
    for (let x = 4; x <= image.width - tile.width; x++) {
      const found = score({ x, y });
      if (found > top.score) top = { score: found, place: { x, y } };
    }
  }
  return top.place;
}

/** The naive methods for a tile and its image. */
export function naiveTileAnswers(type: 'slide' | 'drag', task: TileTask): Answers {
  const soft = { ...task.image, light: blur(task.image, 2).light };
  return {
    darkest: moved(
      type,
      best(task, (place) => -meanLight(soft, task.tile, place)),
    ),
    lightest: moved(
      type,
      best(task, (place) => meanLight(soft, task.tile, place)),
    ),
    'strongest edge': moved(type, best(task, edgeScore(task))),
    'vote of the outline': moved(type, best(task, voteScore(task))),
    'template match': moved(type, best(task, templateScore(task))),
    'median colour around': moved(type, best(task, medianScore(task))),
  };
}

function meanLight({ light, width }: Pixels, tile: Pixels, { x, y }: Place): number {
  let sum = 0;
  for (let dy = 2; dy < tile.height; dy += 5) {
    for (let dx = 2; dx < tile.width; dx += 5) sum += light[(y + dy) * width + x + dx] as number;
  }
  return sum;
}

/** The offsets of the tile's outline, and its direction at each. */
function outlineOf({ width, height }: Pixels): (Place & { isUpright: boolean })[] {
  const across = Array.from({ length: width }, (_, x) => [
    { x, y: 0, isUpright: false },
    { x, y: height - 1, isUpright: false },
  ]);
  const upright = Array.from({ length: height }, (_, y) => [
    { x: 0, y, isUpright: true },
    { x: width - 1, y, isUpright: true },
  ]);
  return [...across, ...upright].flat();
}

/** How strong the edges under the outline are. */
function edgeScore({ image, tile }: TileTask): Score {
  const { dx, dy } = slopes(blur(image, 1));
  const strength = dx.map((across, i) => Math.min(Math.hypot(across, at(dy, i)), 80));
  const outline = outlineOf(tile);
  return ({ x, y }) => {
    let sum = 0;
    for (const step of outline) {
      const i = (y + step.y) * image.width + x + step.x;
      sum += strength[i] as number;
    }
    return sum;
  };
}

/** How many edges under the outline have its direction. */
function voteScore({ image, tile }: TileTask): Score {
  const { dx, dy } = slopes(blur(image, 1));
  const outline = outlineOf(tile);
  return ({ x, y }) => {
    let votes = 0;
    for (const { x: ox, y: oy, isUpright } of outline) {
      const i = (y + oy) * image.width + x + ox;
      const across = Math.abs(dx[i] as number);
      const down = Math.abs(dy[i] as number);
      const through = isUpright ? across : down;
      if (through > 10 && through > 2 * (isUpright ? down : across)) votes++;
    }
    return votes;
  };
}

/** How similar the image is to the tile above it. */
function templateScore({ image, tile }: TileTask): Score {
  const { light, width } = blur(image, 1);
  const soft = blur(tile, 1).light;
  const offsets: number[] = [];
  const wantedValues: number[] = [];
  for (let y = 2; y < tile.height; y += 3) {
    for (let x = 2; x < tile.width; x += 3) {
      offsets.push(y * width + x);
      wantedValues.push(at(soft, y * tile.width + x));
    }
  }
  const wanted = Float32Array.from(wantedValues);
  const seen = new Float32Array(wanted.length);
  return ({ x, y }) => {
    for (let i = 0; i < seen.length; i++) seen[i] = light[y * width + x + (offsets[i] as number)] as number;
    return correlation(wanted, seen);
  };
}

const AROUND_PIXELS = 30;

/** How close the median colour above and below is to that of the tile. */
function medianScore({ image, tile }: TileTask): Score {
  const own = medianColour(tile, [{ x: 0, y: 0, width: tile.width, height: tile.height }]);
  const width = tile.width;
  return ({ x, y }) => {
    const around = [
      { x, y: Math.max(y - AROUND_PIXELS, 0), width, height: AROUND_PIXELS / 2 },
      { x, y: Math.min(y + tile.height + AROUND_PIXELS / 2, image.height - AROUND_PIXELS / 2), width, height: 15 },
    ];
    const seen = medianColour(image, around);
    return -Math.hypot(...own.map((value, channel) => value - at(seen, channel)));
  };
}

type Box = Place & { width: number; height: number };

function medianColour({ rgba, width }: Pixels, boxes: readonly Box[]): number[] {
  return [0, 1, 2].map((channel) => {
    const counts = new Uint16Array(64);
    let total = 0;
    for (const box of boxes) {
      for (let y = box.y; y < box.y + box.height; y += 3) {
        for (let x = box.x; x < box.x + box.width; x += 3) {
          const bin = (rgba[(y * width + x) * 4 + channel] as number) >> 2;
          counts[bin] = (counts[bin] as number) + 1;
          total++;
        }
      }
    }
    let bin = 0;
    for (let below = at(counts, 0); below * 2 < total; below += at(counts, bin)) bin++;
    return bin * 4;
  });
}
