import { Path2D } from '@napi-rs/canvas';
import { between, pick } from './random.ts';

/** The square of a tile, and how far its knobs reach beyond it, in pixels. */
const BODY = 33;
const KNOB = 6;
/** A tile with its knobs and a rim; what the widget moves. */
export const TILE_SIZE = BODY + 2 * KNOB + 2;

type Side = -1 | 0 | 1;

/** A jigsaw tile: every side has a knob, a notch, or neither. Its corner is at 0, 0 of a square of TILE_SIZE. */
export function makeTileOutline(): Path2D {
  const path = new Path2D();
  const start = KNOB + 1;
  const corners = [
    { x: start, y: start, dx: 1, dy: 0 },
    { x: start + BODY, y: start, dx: 0, dy: 1 },
    { x: start + BODY, y: start + BODY, dx: -1, dy: 0 },
    { x: start, y: start + BODY, dx: 0, dy: -1 },
  ];
  path.moveTo(start, start);
  for (const corner of corners) addSide(path, corner, pick<Side>([-1, 0, 1, 1]));
  path.closePath();
  return path;
}

function addSide(path: Path2D, from: { x: number; y: number; dx: number; dy: number }, side: Side): void {
  const { x, y, dx, dy } = from;
  const at = (along: number, out: number) => ({ x: x + dx * along + dy * out, y: y + dy * along - dx * out });
  const end = at(BODY, 0);
  if (side !== 0) {
    const middle = BODY * between(0.4, 0.6);
    const neck = 4.5;
    const out = (KNOB * side * 4) / 3; // so that the curve itself reaches as far as the knob
    const [before, after] = [at(middle - neck, 0), at(middle + neck, 0)];
    const [firstBend, secondBend] = [at(middle - neck * 2.2, out), at(middle + neck * 2.2, out)];
    path.lineTo(before.x, before.y);
    path.bezierCurveTo(firstBend.x, firstBend.y, secondBend.x, secondBend.y, after.x, after.y);
  }
  path.lineTo(end.x, end.y);
}
