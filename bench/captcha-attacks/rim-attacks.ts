import { followLines, leanOver } from './lean.ts';
import {
  changes,
  difference,
  huesOf,
  type Joint,
  likeness,
  meanOfRows,
  type Profile,
  type Rim,
  smooth,
  unrolled,
} from './rims.ts';

type ProfileOf = (rim: Rim, isClosed: boolean) => Profile;
type Score = (inner: Profile, outer: Profile, shift: number) => number;
export type Method = { profilesOf: readonly ProfileOf[]; score: Score };

const rows =
  (first: number, count: number): ProfileOf =>
  (rim) =>
    meanOfRows(rim, first, count);

/** The naive methods: the two rims are compared directly. */
export const naiveRims: Record<string, Method> = {
  'rims, correlation': { profilesOf: [rows(1, 3)], score: likeness },
  'rims, difference': { profilesOf: [rows(1, 3)], score: (inner, outer, shift) => -difference(inner, outer, shift) },
  'rims at several depths': { profilesOf: [rows(0, 2), rows(3, 2), rows(6, 2)], score: likeness },
  'rims, blurred': { profilesOf: [(rim, isClosed) => smooth(meanOfRows(rim, 0, 4), 4, isClosed)], score: likeness },
  'rims, hues': {
    profilesOf: [(rim, isClosed) => smooth(meanOfRows(huesOf(rim), 0, 8), 2, isClosed)],
    score: likeness,
  },
  'rims, edges': {
    profilesOf: [(rim, isClosed) => smooth(changes(smooth(meanOfRows(rim, 0, 3), 1, isClosed)), 2, isClosed)],
    score: likeness,
  },
};

/** The better methods: they estimate the slant of the lines and extrapolate them over the gap. */
export const leaningRims = (gap: number): Record<string, Method> => ({
  'rims, mean slant': { profilesOf: [(rim) => leanOver(rim, gap / 2, { seen: 3 })], score: likeness },
  'rims, each line followed': {
    profilesOf: [(rim, isClosed) => followLines(rim, gap / 2, { isClosed, seen: 3 })],
    score: likeness,
  },
  'rims, edges and mean slant': {
    profilesOf: [(rim, isClosed) => smooth(changes(leanOver(rim, gap / 2, { seen: 3 })), 2, isClosed)],
    score: likeness,
  },
  'rims, hues and mean slant': {
    profilesOf: [
      (rim, isClosed) => smooth(leanOver(huesOf(rim), gap / 2, { seen: 8, slopesOf: huesOf(rim) }), 2, isClosed),
    ],
    score: likeness,
  },
  'rims, hues of each line': {
    profilesOf: [(rim, isClosed) => followLines(huesOf(rim), gap / 2, { isClosed, seen: 22, slopesOf: huesOf(rim) })],
    score: likeness,
  },
  'rims, each line followed and averaged': {
    profilesOf: [(rim, isClosed) => followLines(rim, gap / 2, { isClosed, seen: 22 })],
    score: likeness,
  },
});

type Shifts = { from: number; to: number };

/** The shift of the inner rims with the best score, and that score. */
export function bestShift(joints: readonly Joint[], { profilesOf, score }: Method, { from, to }: Shifts) {
  const profiles = joints.flatMap(({ inner, outer, isClosed }) =>
    profilesOf.map((profileOf) => ({
      inner: profileOf(inner, isClosed),
      outer: unrolled(profileOf(outer, isClosed), isClosed),
    })),
  );
  let top = { score: -Infinity, shift: from };
  for (let shift = from; shift <= to; shift++) {
    let sum = 0;
    for (const { inner, outer } of profiles) sum += score(inner, outer, shift);
    if (sum > top.score) top = { score: sum, shift };
  }
  return top;
}
