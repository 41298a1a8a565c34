import type { Drawing } from '@tongtu/server/testing/captcha';
import { type Answers, moved, turned } from './answers.ts';
import type { Pixels } from './pixels.ts';
import { bestShift, type Trick } from './rim-attacks.ts';
import { type Joint, roundRim, straightRim } from './rims.ts';
import type { TileTask } from './tile-attacks.ts';

/** How far a rim is read from the gap. */
const DEPTH = 20;

type Tile = Extract<Drawing, { thumbX: number }>;
type Tricks = Record<string, Trick>;

/** Where the upper and the lower edge of the tile fit those of the strip best, by each trick. */
export function rimTileAnswers(
  type: Tile['type'],
  task: TileTask,
  { gap, tricks }: { gap: number; tricks: Tricks },
): Answers {
  const shifts = { from: 4, to: task.picture.width - task.tile.width };
  const joints = task.rows.map((y) => ({ y, joints: tileJoints(task, y, gap) }));
  return mapTricks(tricks, (trick) => {
    const found = joints.map((row) => ({ y: row.y, ...bestShift(row.joints, trick, shifts) }));
    const top = found.reduce((a, b) => (b.score > a.score ? b : a), { y: 0, shift: 0, score: -Infinity });
    return moved(type, { x: top.shift, y: top.y });
  });
}

function tileJoints({ picture, tile }: TileTask, y: number, gap: number): Joint[] {
  const whole = { x: 0, length: picture.width };
  const own = { x: 0, length: tile.width };
  return [
    {
      outer: straightRim(picture, { ...whole, y: y - gap - 1, towards: -1 }, DEPTH),
      inner: straightRim(tile, { ...own, y: 0, towards: 1 }, DEPTH),
      isClosed: false,
    },
    {
      outer: straightRim(picture, { ...whole, y: y + tile.height + gap, towards: 1 }, DEPTH),
      inner: straightRim(tile, { ...own, y: tile.height - 1, towards: -1 }, DEPTH),
      isClosed: false,
    },
  ];
}

/** The turn at which the rim of the middle fits that of the ring best, by each trick. */
export function rimTurnAnswers(
  ring: Pixels,
  middle: Pixels,
  { gap, tricks }: { gap: number; tricks: Tricks },
): Answers {
  const joint: Joint = {
    outer: roundRim(ring, middle.width / 2 + gap + 1, 1, DEPTH),
    inner: roundRim(middle, middle.width / 2 - 2, -1, DEPTH),
    isClosed: true,
  };
  return mapTricks(tricks, (trick) => turned(bestShift([joint], trick, { from: 0, to: 359 }).shift));
}

function mapTricks(tricks: Tricks, answer: (trick: Trick) => Answers[string]): Answers {
  return Object.fromEntries(Object.entries(tricks).map(([name, trick]) => [name, answer(trick)]));
}
