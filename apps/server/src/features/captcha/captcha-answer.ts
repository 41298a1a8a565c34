import { z } from 'zod';

const Point = z.object({ x: z.number(), y: z.number() });

/** The right answer of a challenge, as the database stores it. It never leaves the server. */
export const ExpectedAnswer = z.discriminatedUnion('type', [
  /** The centres of the characters, in the order of the thumb. */
  z.object({ type: z.literal('click'), points: z.array(Point) }),
  /** The upper left corner of the tile in its right place. */
  z.object({ type: z.enum(['slide', 'drag']), at: Point }),
  /** The right angle of the inner circle, in degrees clockwise. */
  z.object({ type: z.literal('rotate'), angle: z.number() }),
]);
export type ExpectedAnswer = z.infer<typeof ExpectedAnswer>;
