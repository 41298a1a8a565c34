import { type Band, makeBand, makeStripes, type Point } from './band.ts';
import { between, happens } from './random.ts';

const BANDS = 5;
/** A band's angle to the radius, in degrees: shared by all bands of a picture, and how much each end deviates. */
const TWIST = { min: 16, max: 50 };
const OWN_TWIST = 18;
const END_SPREAD_DEGREES = 9;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

export type Circle = { middle: number; radius: number };

/**
 * Makes bands through the centre of a circle and out of it, all twisted in the same direction. Matching the rims therefore
 * gives a wrong angle, with an error that differs in every picture.
 */
export function makeRoundBands(circle: Circle): Band[] {
  const stripes = makeStripes();
  const twist = between(TWIST.min, TWIST.max) * (happens(0.5) ? 1 : -1);
  const ownTwist = () => twist + between(-OWN_TWIST, OWN_TWIST);
  const first = between(0, 360);
  const endAt = (index: number) =>
    makeEnd(circle, first + (index * 180) / BANDS + between(-END_SPREAD_DEGREES, END_SPREAD_DEGREES), ownTwist());
  return Array.from({ length: BANDS }, (_, i) => makeBand(stripes, wayBetween(circle, endAt(i), endAt(i + BANDS))));
}

/** The point at which a band leaves the circle, and its direction there. */
type End = { at: Point; out: Point };

function makeEnd({ middle, radius }: Circle, degrees: number, twist: number): End {
  const towards = (angle: number) => ({ x: Math.cos(radians(angle)), y: Math.sin(radians(angle)) });
  const { x, y } = towards(degrees);
  return { at: { x: middle + x * radius, y: middle + y * radius }, out: towards(degrees + twist) };
}

function along({ at, out }: End, pixels: number): Point {
  return { x: at.x + out.x * pixels, y: at.y + out.y * pixels };
}

/** A path that is straight outside the circle and has one bend inside. */
function wayBetween({ radius }: Circle, from: End, to: End): Point[] {
  const bend = radius * 0.8;
  const points = [from.at, along(from, -bend), along(to, -bend), to.at] as const;
  const way = [along(from, radius)];
  for (let step = 0; step <= 16; step++) way.push(onCurve(points, step / 16));
  way.push(along(to, radius));
  return way;
}

function onCurve([a, b, c, d]: readonly [Point, Point, Point, Point], share: number): Point {
  const rest = 1 - share;
  const mix = (key: 'x' | 'y') =>
    rest ** 3 * a[key] + 3 * rest ** 2 * share * b[key] + 3 * rest * share ** 2 * c[key] + share ** 3 * d[key];
  return { x: mix('x'), y: mix('y') };
}
