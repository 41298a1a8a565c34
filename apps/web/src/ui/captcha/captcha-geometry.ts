/** In pixels of the image (specification §9). All results use this unit, whatever the size on the screen. */
export const imageSize = { width: 300, height: 220 } as const;
/** The width of a slider's handle. The track is as wide as the image. */
export const handleWidth = 60;
export const maxDrag = imageSize.width - handleWidth;

export type Point = { x: number; y: number };

export function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), Math.max(min, max));
}

/** Rounds to a tenth: precise enough for a finger, and short on the wire. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A position or length inside the image as a percentage, so that it scales with the image. */
export function percentOf(value: number, whole: number): string {
  return `${(value / whole) * 100}%`;
}

/** Screen pixels per image pixel. */
export function scaleOf(element: Element | null): number {
  const width = element?.getBoundingClientRect().width ?? 0;
  return width > 0 ? width / imageSize.width : 1;
}

/** The pointer's position in the image, clamped to its edges. */
export function pointIn(element: Element, event: { clientX: number; clientY: number }): Point {
  const { left, top } = element.getBoundingClientRect();
  const scale = scaleOf(element);
  return {
    x: rounded(clamp((event.clientX - left) / scale, 0, imageSize.width)),
    y: rounded(clamp((event.clientY - top) / scale, 0, imageSize.height)),
  };
}

const stepPixels = 1;
const largeStepPixels = 10;

/** The step of an arrow key, or undefined for any other key. */
export function stepOf(event: { key: string; shiftKey: boolean }): Point | undefined {
  const size = event.shiftKey ? largeStepPixels : stepPixels;
  switch (event.key) {
    case 'ArrowLeft':
      return { x: -size, y: 0 };
    case 'ArrowRight':
      return { x: size, y: 0 };
    case 'ArrowUp':
      return { x: 0, y: -size };
    case 'ArrowDown':
      return { x: 0, y: size };
    default:
      return undefined;
  }
}
