import { type PointerEvent, useRef } from 'react';
import type { Point } from './captcha-geometry.ts';

type DragEvents = {
  isDisabled: boolean;
  onStart: () => void;
  /** The distance of the pointer from its start, in screen pixels. */
  onMove: (distance: Point) => void;
  onEnd: () => void;
  /** The system has cancelled the pointer: the drag does not count. */
  onCancel: () => void;
};

/** One drag at a time by mouse, finger or pen. A second pointer is ignored until the first is released. */
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
