import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listenToPointer } from './pointer-input.ts';

let calls: string[];
let canvas: HTMLCanvasElement;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  calls = [];
  canvas = document.createElement('canvas');
  Object.assign(canvas, { width: 1000, height: 500, setPointerCapture: () => {} });
  canvas.getBoundingClientRect = () => new DOMRect(10, 20, 500, 250); // half of its size
  stop = listenToPointer(canvas, {
    move: (x, y) => calls.push(`move ${x} ${y}`),
    press: (button) => calls.push(`press ${button}`),
    release: (button) => calls.push(`release ${button}`),
    turnWheel: (isVertical, amount) => calls.push(`wheel ${isVertical} ${amount}`),
  });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

function pointer(type: string, x: number, y: number, pointerId = 1, pointerType = 'touch') {
  canvas.dispatchEvent(
    new PointerEvent(type, { clientX: x, clientY: y, pointerId, pointerType, bubbles: true, cancelable: true }),
  );
}

test('the mouse moves and clicks at the point of the unscaled image, and never outside', () => {
  pointer('pointermove', 110, 70, 1, 'mouse');
  canvas.dispatchEvent(new MouseEvent('mousedown', { button: 2, cancelable: true }));
  canvas.dispatchEvent(new MouseEvent('mouseup', { button: 2 }));
  pointer('pointermove', 900, -5, 1, 'mouse');
  expect(calls).toEqual(['move 200 100', 'press 2', 'release 2', 'move 999 0']);
});

test('a tap is a click', () => {
  pointer('pointerdown', 110, 70);
  pointer('pointerup', 110, 70);
  vi.advanceTimersByTime(2_000);
  expect(calls).toEqual(['move 200 100', 'press 0', 'release 0']);
});

test('a long press is a right click', () => {
  pointer('pointerdown', 110, 70);
  vi.advanceTimersByTime(700);
  pointer('pointerup', 110, 70);
  expect(calls).toEqual(['move 200 100', 'press 2', 'release 2']);
});

test('a moving finger drags', () => {
  pointer('pointerdown', 110, 70);
  pointer('pointermove', 112, 70); // a finger is never quite still
  pointer('pointermove', 160, 70);
  pointer('pointerup', 160, 70);
  vi.advanceTimersByTime(2_000);
  expect(calls).toEqual(['move 200 100', 'press 0', 'move 300 100', 'release 0']);
});

test('two fingers scroll and do not click', () => {
  pointer('pointerdown', 110, 70);
  pointer('pointerdown', 150, 70, 2);
  pointer('pointermove', 110, 40);
  pointer('pointerup', 110, 40);
  pointer('pointerup', 150, 70, 2);
  vi.advanceTimersByTime(2_000);
  expect(calls).toEqual(['move 200 100', 'wheel true 30']);
});
