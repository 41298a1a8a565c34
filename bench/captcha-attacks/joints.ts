import { type Answers, moved, type Shown, turned } from './answers.ts';
import type { Pixels } from './pixels.ts';
import { bestShift, type Method } from './rim-attacks.ts';
import { type Joint, roundRim, straightRim } from './rims.ts';
import type { TileTask } from './tile-attacks.ts';

/** How many rows next to the gap are read. */
const DEPTH = 20;

type Tile = Extract<Shown, { thumbX: number }>;
type Methods = Record<string, Method>;

/** An answer of a method, and its score. */
export type Fit = { answer: Answers[string]; score: number };

/** The offset at which the upper and lower edges of the tile match those of the strip best. */
export function fitTile(type: Tile['type'], task: TileTask, gap: number): (method: Method) => Fit {
  const shifts = { from: 4, to: task.image.width - task.tile.width };
  const joints = task.rows.map((y) => ({ y, joints: tileJoints(task, y, gap) }));
  return (method) => {
    const found = joints.map((row) => ({ y: row.y, ...bestShift(row.joints, method, shifts) }));
    const top = found.reduce((a, b) => (b.score > a.score ? b : a), { y: 0, shift: 0, score: -Infinity });
    return { answer: moved(type, { x: top.shift, y: top.y }), score: top.score };
  };
}

function tileJoints({ image, tile }: TileTask, y: number, gap: number): Joint[] {
  const whole = { x: 0, length: image.width };
  const own = { x: 0, length: tile.width };
  return [
    {
      outer: straightRim(image, { ...whole, y: y - gap - 1, towards: -1 }, DEPTH),
      inner: straightRim(tile, { ...own, y: 0, towards: 1 }, DEPTH),
      isClosed: false,
    },
    {
      outer: straightRim(image, { ...whole, y: y + tile.height + gap, towards: 1 }, DEPTH),
      inner: straightRim(tile, { ...own, y: tile.height - 1, towards: -1 }, DEPTH),
      isClosed: false,
    },
  ];
}

/** The angle at which the rim of the inner circle matches that of the ring best. */
export function fitTurn(ring: Pixels, middle: Pixels, gap: number): (method: Method) => Fit {
  const joint: Joint = {
    outer: roundRim(ring, middle.width / 2 + gap + 1, 1, DEPTH),
    inner: roundRim(middle, middle.width / 2 - 2, -1, DEPTH),
    isClosed: true,
  };
  return (method) => {
    const { shift, score } = bestShift([joint], method, { from: 0, to: 359 });
    return { answer: turned(shift), score };
  };
}

export function eachMethod(methods: Methods, fit: (method: Method) => Fit): Answers {
  return Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, fit(method).answer]));
}
