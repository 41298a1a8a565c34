import { fireEvent } from '@testing-library/react';

/** happy-dom has no layout: every element reports the image's width at the upper left corner. */
export function mockLayout(widthPx: number): void {
  Element.prototype.getBoundingClientRect = () =>
    DOMRect.fromRect({ x: 0, y: 0, width: widthPx, height: (widthPx * 220) / 300 });
  Element.prototype.setPointerCapture = () => undefined;
}

const pointer = { pointerId: 1, button: 0, isPrimary: true };

/** Drags an element. Each move is a distance from the start, in screen pixels. */
export function drag(element: Element, ...moves: { x: number; y: number }[]): void {
  fireEvent.pointerDown(element, { ...pointer, clientX: 0, clientY: 0 });
  for (const { x, y } of moves) fireEvent.pointerMove(element, { ...pointer, clientX: x, clientY: y });
  fireEvent.pointerUp(element, pointer);
}

export const images = { image: 'data:image/png;base64,AA==', thumb: 'data:image/png;base64,AB==' };
export const tile = { ...images, thumbX: 10, thumbY: 33, thumbWidth: 50, thumbHeight: 50 };
