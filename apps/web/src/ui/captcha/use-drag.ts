import { type PointerEvent, useRef } from 'react';
import type { Point } from './captcha-geometry.ts';

type DragEvents = {
  isDisabled: boolean;
  onStart: () => void;
  /** How far the pointer is from where it went down, in pixels of the screen. */
  onMove: (distance: Point) => void;
  onEnd: () => void;
  /** The system took the pointer away: nothing of the drag counts. */
  onCancel: () => void;
};

/** One drag at a time with mouse, finger or pen; a second pointer is ignored until the first has let go. */
export function useDrag(events: DragEvents) {
  const active = useRef<{ pointerId: number; x: number; y: number }>(undefined);
  const isMine = (event: PointerEvent) => active.current?.pointerId === event.pointerId;

  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (events.isDisabled || active.current !== undefined || event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      active.current = { pointerId: event.pointerId, x: event.clientX, y: event.clientY };
      events.onStart();
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (!active.current || !isMine(event)) return;
      events.onMove({ x: event.clientX - active.current.x, y: event.clientY - active.current.y });
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (!isMine(event)) return;
      active.current = undefined;
      events.onEnd();
    },
    onPointerCancel(event: PointerEvent<HTMLElement>) {
      if (!isMine(event)) return;
      active.current = undefined;
      events.onCancel();
    },
  };
}
