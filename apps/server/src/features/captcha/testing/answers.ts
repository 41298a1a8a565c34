import { ExpectedAnswer } from '../captcha-answer.ts';
import type { Db } from '../../../db/driver.ts';
import type { GivenAnswer } from '../judging/judge-answer.ts';
import type { TrailPoint } from '../judging/judge-trail.ts';

/** A trail like a hand's to (x, y), in 700 ms. */
export function trailTo(x: number, y: number): TrailPoint[] {
  return Array.from({ length: 20 }, (_, i) => {
    const share = 1 - (1 - i / 19) ** 2;
    return { x: x * share, y: y * share, t: i * 36 + (i % 3) };
  });
}

/** The right answer, displaced by `off` pixels or degrees. */
export function rightAnswer(expected: ExpectedAnswer, off = 0): GivenAnswer {
  switch (expected.type) {
    case 'click': {
      const dots = expected.points.map(({ x, y }, i) => ({ index: i + 1, x: x + off, y, t: i * 200 }));
      return { type: 'click', dots };
    }
    case 'rotate': {
      const angle = (expected.angle + off + 360) % 360;
      return { type: 'rotate', angle, trail: trailTo(angle / 1.5, 0) };
    }
    case 'slide':
    case 'drag': {
      const { x, y } = expected.at;
      return { type: expected.type, x: x + off, y, trail: trailTo(x + off, y) };
    }
  }
}

/** Reads the answer from the database, and makes the picture ten seconds old. */
export async function lookUpAnswer(db: Db, key: string): Promise<ExpectedAnswer> {
  const { answer } = await db
    .updateTable('captchaChallenge')
    .set({ drawnAt: new Date(Date.now() - 10_000) })
    .where('key', '=', key)
    .returning('answer')
    .executeTakeFirstOrThrow();
  return ExpectedAnswer.parse(answer);
}
