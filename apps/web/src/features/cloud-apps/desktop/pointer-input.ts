export type PointerTarget = {
  move: (x: number, y: number) => void;
  /** As `MouseEvent.button`. */
  press: (button: number) => void;
  release: (button: number) => void;
  /** As `WheelEvent`. */
  turnWheel: (isVertical: boolean, amount: number, unit: number) => void;
};

const LEFT = 0;
const RIGHT = 2;
const PIXELS = 0;
const longPressMs = 600;
const dragFromPx = 8;

type Touch = { x: number; y: number };

/**
 * The pointer over a canvas that may be scaled. A tap is a click, a long press a right click, a moving finger drags, two
 * fingers scroll. Returns how to stop.
 */
export function listenToPointer(canvas: HTMLCanvasElement, target: PointerTarget): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const touches = new Map<number, Touch>();
  let gesture: 'none' | 'waiting' | 'dragging' | 'scrolling' | 'done' = 'none';
  let longPress: ReturnType<typeof setTimeout> | undefined;

  function moveTo({ clientX, clientY }: { clientX: number; clientY: number }): void {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const inside = (at: number, size: number) => Math.round(Math.min(Math.max(at, 0), size - 1));
    target.move(
      inside(((clientX - left) * canvas.width) / width, canvas.width),
      inside(((clientY - top) * canvas.height) / height, canvas.height),
    );
  }
  function click(button: number): void {
    target.press(button);
    target.release(button);
  }
  function touchStarts(event: PointerEvent): void {
    touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
    clearTimeout(longPress);
    if (touches.size > 1) {
      if (gesture === 'dragging') target.release(LEFT);
      gesture = 'scrolling';
      return;
    }
    gesture = 'waiting';
    moveTo(event);
    longPress = setTimeout(() => {
      gesture = 'done';
      click(RIGHT);
    }, longPressMs);
  }
  function touchMoves(event: PointerEvent): void {
    const before = touches.get(event.pointerId);
    if (before === undefined) return;
    const at = { x: event.clientX, y: event.clientY };
    if (gesture === 'waiting') {
      if (Math.hypot(at.x - before.x, at.y - before.y) < dragFromPx) return;
      clearTimeout(longPress);
      gesture = 'dragging';
      target.press(LEFT);
    }
    touches.set(event.pointerId, at);
    if (gesture === 'dragging') moveTo(event);
    if (gesture === 'scrolling') {
      if (at.y !== before.y) target.turnWheel(true, before.y - at.y, PIXELS);
      if (at.x !== before.x) target.turnWheel(false, before.x - at.x, PIXELS);
    }
  }
  function touchEnds(event: PointerEvent): void {
    if (!touches.delete(event.pointerId)) return;
    clearTimeout(longPress);
    if (gesture === 'waiting' && event.type === 'pointerup') click(LEFT);
    if (gesture === 'dragging') target.release(LEFT);
    gesture = touches.size > 0 ? 'done' : 'none';
  }

  const on = <Type extends 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel'>(
    type: Type,
    byMouse: (event: PointerEvent) => void,
    byTouch: (event: PointerEvent) => void,
  ) =>
    canvas.addEventListener(type, (event) => (event.pointerType === 'touch' ? byTouch(event) : byMouse(event)), {
      signal,
    });
  on(
    'pointerdown',
    (event) => {
      canvas.setPointerCapture(event.pointerId);
      moveTo(event);
    },
    (event) => {
      canvas.setPointerCapture(event.pointerId);
      touchStarts(event);
    },
  );
  on('pointermove', moveTo, touchMoves);
  on('pointerup', () => {}, touchEnds);
  on('pointercancel', () => {}, touchEnds);
  // Pointer events report only the first of several buttons that are held.
  canvas.addEventListener(
    'mousedown',
    (event) => {
      event.preventDefault(); // the focus stays in the text field
      if (gesture === 'none' && !isFromTouch(event)) target.press(event.button);
    },
    { signal },
  );
  canvas.addEventListener('mouseup', (event) => isFromTouch(event) || target.release(event.button), { signal });
  canvas.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      if (event.deltaY !== 0) target.turnWheel(true, event.deltaY, event.deltaMode);
      if (event.deltaX !== 0) target.turnWheel(false, event.deltaX, event.deltaMode);
    },
    { signal, passive: false },
  );
  // Without this, browsers send the events of a mouse after those of a touch.
  canvas.addEventListener('touchend', (event) => event.preventDefault(), { signal });
  return () => {
    clearTimeout(longPress);
    stop.abort();
  };
}

/** Chromium and Firefox name what the events of a mouse stand for. */
function isFromTouch(event: MouseEvent): boolean {
  return 'mozInputSource' in event && event.mozInputSource === 5;
}
