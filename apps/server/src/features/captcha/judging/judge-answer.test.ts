import { expect, test } from 'vitest';
import type { ExpectedAnswer } from '../captcha-answer.ts';
import { rightAnswer, trailTo } from '../testing/answers.ts';
import { type GivenAnswer, judgeAnswer } from './judge-answer.ts';
import type { TrailPoint } from './judge-trail.ts';

const ELAPSED_MS = 5_000;
const click: ExpectedAnswer = {
  type: 'click',
  points: [
    { x: 40, y: 40 },
    { x: 120, y: 90 },
    { x: 200, y: 150 },
  ],
};
const slide: ExpectedAnswer = { type: 'slide', at: { x: 140, y: 60 } };
const drag: ExpectedAnswer = { type: 'drag', at: { x: 140, y: 60 } };
const rotate: ExpectedAnswer = { type: 'rotate', angle: 200 };

const isRight = (expected: ExpectedAnswer, given: GivenAnswer) => judgeAnswer(expected, given, ELAPSED_MS);
const slid = (trail: TrailPoint[], x = 140): GivenAnswer => ({ type: 'slide', x, y: 60, trail });

test.each([
  [click, 20],
  [slide, 4],
  [drag, 5],
  [rotate, 5],
] as const)('an answer to $type may deviate up to the tolerance in both directions', (expected, tolerance) => {
  expect(isRight(expected, rightAnswer(expected))).toBe(true);
  expect(isRight(expected, rightAnswer(expected, tolerance))).toBe(true);
  expect(isRight(expected, rightAnswer(expected, -tolerance))).toBe(true);
  expect(isRight(expected, rightAnswer(expected, tolerance + 1))).toBe(false);
  expect(isRight(expected, rightAnswer(expected, -tolerance - 1))).toBe(false);
});

test('angles are compared modulo a full circle', () => {
  const nearlyFull: ExpectedAnswer = { type: 'rotate', angle: 359 };

  expect(isRight(nearlyFull, { type: 'rotate', angle: 2, trail: trailTo(2, 0) })).toBe(true);
});

test('the right answer to another kind is wrong', () => {
  for (const given of [rightAnswer(drag), rightAnswer(rotate), rightAnswer(click)]) {
    expect(isRight(slide, given)).toBe(false);
  }
});

test('points must be complete, in the order of the thumb and without extra ones', () => {
  const answer = rightAnswer(click) as Extract<GivenAnswer, { type: 'click' }>;
  const [first, second, third] = answer.dots as [
    (typeof answer.dots)[0],
    (typeof answer.dots)[0],
    (typeof answer.dots)[0],
  ];
  const swapped = [{ ...second, index: 1, t: 0 }, { ...first, index: 2, t: 200 }, third];

  for (const dots of [swapped, [first, second], [first, second, third, { ...third, index: 4, t: 900 }], []]) {
    expect(isRight(click, { type: 'click', dots })).toBe(false);
  }
});

test('points clicked too fast, or in more time than there was, are wrong', () => {
  const { points } = click;
  const clicked = (everyMs: number): GivenAnswer => ({
    type: 'click',
    dots: points.map(({ x, y }, i) => ({ index: i + 1, x, y, t: i * everyMs })),
  });

  expect(isRight(click, clicked(0))).toBe(false);
  expect(isRight(click, clicked(10))).toBe(false);
  expect(isRight(click, clicked(ELAPSED_MS))).toBe(false);
});

test('the right place without a trail to it is wrong', () => {
  expect(isRight(slide, slid([]))).toBe(false);
  expect(isRight(slide, slid([{ x: 140, y: 0, t: 0 }]))).toBe(false);
  const jump = [
    { x: 0, y: 0, t: 0 },
    { x: 139, y: 0, t: 300 },
    { x: 140, y: 0, t: 600 },
  ];
  expect(isRight(slide, slid(jump))).toBe(false);
});

test('a trail that leads elsewhere is wrong', () => {
  expect(isRight(slide, slid(trailTo(20, 0)))).toBe(false);
  expect(isRight(drag, { type: 'drag', x: 140, y: 60, trail: trailTo(140, 160) })).toBe(false);
});

test('a trail that is too fast, backwards in time, or longer than the picture was shown is wrong', () => {
  const scaled = (factor: number) => trailTo(140, 0).map((point) => ({ ...point, t: Math.round(point.t * factor) }));

  expect(isRight(slide, slid(scaled(0.1)))).toBe(false);
  expect(isRight(slide, slid(scaled(100)))).toBe(false);
  const backwards = trailTo(140, 0);
  [backwards[5], backwards[6]] = [backwards[6] as TrailPoint, backwards[5] as TrailPoint];
  expect(isRight(slide, slid(backwards))).toBe(false);
});

test('a straight trail at constant speed is wrong', () => {
  const even = Array.from({ length: 20 }, (_, i) => ({ x: (140 * i) / 19, y: 0, t: i * 40 }));

  expect(isRight(slide, slid(even))).toBe(false);
});

test('keyboard steps pass, with a held key and with a tapped one', () => {
  const held = Array.from({ length: 141 }, (_, i) => ({ x: i, y: 0, t: i === 0 ? 0 : 500 + i * 33 + (i % 3) }));
  const tapped = Array.from({ length: 15 }, (_, i) => ({ x: i * 10, y: 0, t: i * 180 + ((i * 7) % 40) }));

  expect(judgeAnswer(slide, slid(held), 20_000)).toBe(true);
  expect(isRight(slide, slid(tapped))).toBe(true);
});

test('a quick finger passes, also on a phone that reports few positions', () => {
  const flick = (positions: number, durationMs: number) =>
    Array.from({ length: positions }, (_, i) => {
      const share = i / (positions - 1);
      const x = 140 * (share * share * (3 - 2 * share)); // slow, fast, slow
      return { x, y: Math.sin(share * 5) * 3, t: Math.round(share * durationMs) };
    });

  expect(isRight(slide, slid(flick(13, 204)))).toBe(true);
  expect(isRight(slide, slid(flick(24, 400)))).toBe(true);
  expect(isRight(slide, slid(flick(5, 300)))).toBe(true);
});

test('small steps with long pauses pass, as with a screen magnifier', () => {
  let t = 0;
  const trail = Array.from({ length: 57 }, (_, i) => {
    t += i % 8 === 0 ? 900 : 17 + (i % 2);
    return { x: i * 2.5, y: i % 5 === 0 ? 0.25 : 0, t };
  });

  expect(judgeAnswer(slide, slid(trail), 60_000)).toBe(true);
});

test('a trail that overshoots and returns passes', () => {
  const trail = [...trailTo(160, 0), ...[155, 150, 146, 142, 140].map((x, i) => ({ x, y: 1, t: 760 + i * 45 }))];

  expect(isRight(slide, slid(trail))).toBe(true);
});
