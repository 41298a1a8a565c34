import { useRef } from 'react';
import type { Point } from './captcha-geometry.ts';
import { rounded } from './captcha-geometry.ts';

/** The handle's places in pixels of the image, each with its milliseconds since the first one. */
export type Trail = readonly { x: number; y: number; t: number }[];

/** The limit of points; the last point is always kept. */
const maxPoints = 1_000;

/** Records the trail of a drag. */
export function useTrail() {
  const points = useRef<{ x: number; y: number; t: number }[]>([]);
  const startedAtMs = useRef(0);
  return {
    start(point: Point) {
      startedAtMs.current = performance.now();
      points.current = [{ x: rounded(point.x), y: rounded(point.y), t: 0 }];
    },
    add(point: Point) {
      if (points.current.length >= maxPoints) points.current.pop();
      const t = Math.round(performance.now() - startedAtMs.current);
      points.current.push({ x: rounded(point.x), y: rounded(point.y), t });
    },
    isEmpty: () => points.current.length === 0,
    forget: () => {
      points.current = [];
    },
    read: (): Trail => [...points.current],
  };
}
