import { z } from 'zod';

const Point = z.object({ x: z.number(), y: z.number() });

/** What a challenge wants to be answered with, as the database keeps it; nothing of it ever leaves the server. */
export const ExpectedAnswer = z.discriminatedUnion('type', [
  /** The middles of the characters, in the order of the thumb. */
  z.object({ type: z.literal('click'), points: z.array(Point) }),
  /** The upper left corner of the tile where it fits. */
  z.object({ type: z.enum(['slide', 'drag']), at: Point }),
  /** Degrees clockwise by which the middle is turned in the end. */
  z.object({ type: z.literal('rotate'), angle: z.number() }),
]);
export type ExpectedAnswer = z.infer<typeof ExpectedAnswer>;
