export type TrailPoint = { x: number; y: number; t: number };

const MIN_POINTS = 3;
const MIN_DURATION_MS = 200;
const MAX_DURATION_MS = 120_000;
/** A hand does not cover more of its path than this between two events, except in a short correction. */
const MAX_STEP_SHARE = 0.7;
const SHORT_PATH_PIXELS = 40;
/** How much speeds of a script deviate from their mean. Even a held key deviates more. */
const MAX_EVEN_DEVIATION = 0.02;

/**
 * Whether the trail may be a person's: long enough, with steps in between, and not perfectly straight at constant speed.
 * Keyboard steps pass. `withinMs`: the time since the picture was sent; a longer trail is forged.
 */
export function isLikelyTrail(trail: readonly TrailPoint[], withinMs: number): boolean {
  const first = trail[0];
  const last = trail.at(-1);
  if (!first || !last || trail.length < MIN_POINTS) return false;
  const durationMs = last.t - first.t;
  if (durationMs < MIN_DURATION_MS || durationMs > Math.min(withinMs, MAX_DURATION_MS)) return false;
  const steps = trail.slice(1).map((point, i) => stepBetween(trail[i] ?? point, point));
  if (steps.some(({ ms }) => ms < 0)) return false;
  return !jumps(steps) && !isEven(steps);
}

type Step = { dx: number; dy: number; ms: number; length: number };

function stepBetween(from: TrailPoint, to: TrailPoint): Step {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  return { dx, dy, ms: to.t - from.t, length: Math.hypot(dx, dy) };
}

function jumps(steps: readonly Step[]): boolean {
  const way = steps.reduce((sum, { length }) => sum + length, 0);
  const longest = Math.max(...steps.map(({ length }) => length));
  return way > SHORT_PATH_PIXELS && longest > way * MAX_STEP_SHARE;
}

/** Whether all steps have the same direction and speed, as a loop makes them. */
function isEven(steps: readonly Step[]): boolean {
  const timed = steps.filter(({ ms }) => ms > 0);
  const totalMs = timed.reduce((sum, { ms }) => sum + ms, 0);
  const vx = timed.reduce((sum, { dx }) => sum + dx, 0) / totalMs;
  const vy = timed.reduce((sum, { dy }) => sum + dy, 0) / totalMs;
  const allowed = Math.hypot(vx, vy) * MAX_EVEN_DEVIATION;
  return timed.every(({ dx, dy, ms }) => Math.hypot(dx / ms - vx, dy / ms - vy) <= allowed);
}
