import type { Drawing, GivenAnswer } from '@tongtu/server/testing/captcha';

/** The part of a drawing that a script sees: everything but the answer. */
export type Shown = Drawing extends infer One ? (One extends Drawing ? Omit<One, 'answer'> : never) : never;
export type Place = { x: number; y: number };
export type Answers = Record<string, GivenAnswer>;
export type Turned = Extract<GivenAnswer, { type: 'rotate' }>;
export type Moved = Extract<GivenAnswer, { type: 'slide' | 'drag' }>;

const IMAGE = { width: 300, height: 220 };
const upTo = (max: number) => Math.random() * max;

/** A path to (x, y) like that of a hand: slower at the end, and not quite straight. */
function trailTo(x: number, y: number) {
  return Array.from({ length: 25 }, (_, i) => {
    const share = 1 - (1 - i / 24) ** 2;
    return { x: x * share, y: y * share + Math.sin(i) * (i < 24 ? 1 : 0), t: i * 31 + (i % 3) };
  });
}

export function clicked(places: readonly Place[]): GivenAnswer {
  return { type: 'click', dots: places.map(({ x, y }, i) => ({ index: i + 1, x, y, t: i * 700 })) };
}

export function moved(type: Moved['type'], { x, y }: Place): Moved {
  return { type, x, y, trail: trailTo(x, y) };
}

export function turned(degrees: number): Turned {
  const angle = ((degrees % 360) + 360) % 360;
  return { type: 'rotate', angle, trail: trailTo(angle / 1.5, 0) };
}

/** The answer shifted by some pixels or degrees; undefined where it has no single direction. */
export function movedOn(given: GivenAnswer, by: number): GivenAnswer | undefined {
  switch (given.type) {
    case 'click':
      return undefined;
    case 'rotate':
      return turned(given.angle + by);
    case 'slide':
    case 'drag':
      return moved(given.type, { x: Math.max(given.x + by, 0), y: given.y });
  }
}

/** A guess that uses the sizes, but not the image. */
export function guess(shown: Shown): GivenAnswer {
  switch (shown.type) {
    case 'click':
      return clicked(Array.from({ length: 4 }, () => ({ x: upTo(IMAGE.width), y: upTo(IMAGE.height) })));
    case 'rotate':
      return turned(upTo(360));
    case 'slide':
    case 'drag': {
      const { type, thumbY, thumbWidth, thumbHeight } = shown;
      const y = type === 'slide' ? thumbY : upTo(IMAGE.height - thumbHeight);
      return moved(type, { x: upTo(IMAGE.width - thumbWidth), y });
    }
  }
}
