import type { CaptchaAnswer } from '@tongtu/contract';
import type { z } from 'zod';
import type { ExpectedAnswer } from '../captcha-answer.ts';
import { isLikelyTrail, type TrailPoint } from './judge-trail.ts';

export type GivenAnswer = z.infer<typeof CaptchaAnswer>['answer'];

/** In pixels or degrees, in every direction. */
const CLICK_TOLERANCE = 20;
const SLIDE_TOLERANCE = 4;
const DRAG_TOLERANCE = 5;
const ROTATE_TOLERANCE = 5;
const MIN_MS_BETWEEN_CLICKS = 60;
/** The ratio of the answer to the slider's travel. Other widgets than ours may scale differently. */
const TRAVEL_RATIO = { min: 1 / 3, max: 3 };
const TRAIL_END_PIXELS = 6;

type Expected<Type extends ExpectedAnswer['type']> = Extract<ExpectedAnswer, { type: Type }>;
type Given<Type extends GivenAnswer['type']> = Extract<GivenAnswer, { type: Type }>;

/** Whether an answer is right and looks like a person's. `elapsedMs`: since the picture was sent. */
export function judgeAnswer(expected: ExpectedAnswer, given: GivenAnswer, elapsedMs: number): boolean {
  if (expected.type === 'click') return given.type === 'click' && areClicked(expected, given, elapsedMs);
  if (given.type !== expected.type) return false;
  if (!isLikelyTrail(given.trail, elapsedMs)) return false;
  if (expected.type === 'rotate') return given.type === 'rotate' && isTurned(expected, given);
  return given.type !== 'rotate' && isPlaced(expected, given);
}

function areClicked({ points }: Expected<'click'>, { dots }: Given<'click'>, elapsedMs: number): boolean {
  if (dots.length !== points.length) return false;
  const durationMs = (dots.at(-1)?.t ?? 0) - (dots[0]?.t ?? 0);
  if (durationMs > elapsedMs) return false;
  return points.every((point, i) => {
    const dot = dots[i];
    const before = dots[i - 1];
    if (dot?.index !== i + 1) return false;
    if (before && dot.t - before.t < MIN_MS_BETWEEN_CLICKS) return false;
    return Math.hypot(dot.x - point.x, dot.y - point.y) <= CLICK_TOLERANCE;
  });
}

function isPlaced({ type, at }: Expected<'slide' | 'drag'>, { x, y, trail }: Given<'slide' | 'drag'>): boolean {
  const tolerance = type === 'slide' ? SLIDE_TOLERANCE : DRAG_TOLERANCE;
  if (Math.abs(x - at.x) > tolerance || Math.abs(y - at.y) > tolerance) return false;
  const end = trail.at(-1);
  if (type === 'slide') return leadsTo(x, trail);
  return end !== undefined && Math.hypot(end.x - x, end.y - y) <= TRAIL_END_PIXELS;
}

function isTurned({ angle: wanted }: Expected<'rotate'>, { angle, trail }: Given<'rotate'>): boolean {
  const apart = Math.abs(angle - wanted) % 360;
  return Math.min(apart, 360 - apart) <= ROTATE_TOLERANCE && leadsTo(angle, trail);
}

/** Whether the trail's end is plausible for the answer. */
function leadsTo(answer: number, trail: readonly TrailPoint[]): boolean {
  const ratio = answer / Math.max(trail.at(-1)?.x ?? 0, 1);
  return ratio >= TRAVEL_RATIO.min && ratio <= TRAVEL_RATIO.max;
}
