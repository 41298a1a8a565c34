import { expect, test } from 'vitest';
import { rightAnswer, trailTo } from '../testing/answers.ts';
import { decodePicture, judgeAnswer } from '../testing/measured.ts';
import { drawChallenge } from './draw-challenge.ts';

const ELAPSED_MS = 5_000;
const DRAWINGS = 25;

function draw(type: 'slide' | 'drag' | 'rotate') {
  return Promise.all(Array.from({ length: DRAWINGS }, () => drawChallenge(type)));
}

test.each(['slide', 'drag'] as const)(
  'a tile to %s starts where it does not fit, and its right place is inside the picture',
  async (type) => {
    for (const drawing of await draw(type)) {
      if (drawing.type !== type || drawing.answer.type !== type) throw new Error('another kind was drawn');
      const { thumbX: x, thumbY: y, thumbWidth, thumbHeight, answer } = drawing;
      const left = { type, x, y, trail: trailTo(x, y) };

      expect(judgeAnswer(answer, left, ELAPSED_MS)).toBe(false);
      expect(judgeAnswer(answer, rightAnswer(answer), ELAPSED_MS)).toBe(true);
      expect(answer.at.x).toBeGreaterThan(0);
      expect(answer.at.x + thumbWidth).toBeLessThanOrEqual(300);
      expect(answer.at.y).toBeGreaterThan(0);
      expect(answer.at.y + thumbHeight).toBeLessThan(220);
    }
  },
);

test.each(['slide', 'drag'] as const)(
  'the picture of a tile to %s has an empty strip in which no place looks different',
  async (type) => {
    for (const drawing of await draw(type)) {
      if (drawing.type !== type || drawing.answer.type !== type) throw new Error('another kind was drawn');
      const { y } = drawing.answer.at;
      const { width, rgba } = await decodePicture(drawing.image);
      const means = Array.from({ length: width / 20 }, (_, block) => {
        let sum = 0;
        for (let row = y; row < y + drawing.thumbHeight; row++) {
          for (let x = block * 20; x < block * 20 + 20; x++) sum += rgba[(row * width + x) * 4 + 1] ?? 0;
        }
        return sum / (20 * drawing.thumbHeight);
      });

      expect(Math.max(...means) - Math.min(...means)).toBeLessThan(6);
    }
  },
);

test('the inner circle starts far from its right angle', async () => {
  for (const drawing of await draw('rotate')) {
    if (drawing.type !== 'rotate' || drawing.answer.type !== 'rotate') throw new Error('another kind was drawn');
    const left = { type: 'rotate' as const, angle: drawing.angle, trail: trailTo(1, 0) };

    expect(judgeAnswer(drawing.answer, left, ELAPSED_MS)).toBe(false);
    expect(drawing.answer.angle).toBeGreaterThanOrEqual(25);
    expect(drawing.answer.angle).toBeLessThanOrEqual(335);
  }
});
