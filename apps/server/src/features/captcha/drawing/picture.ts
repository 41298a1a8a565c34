import type { Canvas } from '@napi-rs/canvas';

/** Specification §9, in pixels. */
export const PICTURE = { width: 300, height: 220 } as const;
export const CLICK_THUMB = { width: 150, height: 40 } as const;
export const ROTATE_DIAMETER = 220;

const JPEG_QUALITY = 80;

/** Encodes on another thread. */
export async function toJpegUrl(canvas: Canvas): Promise<string> {
  return `data:image/jpeg;base64,${(await canvas.encode('jpeg', JPEG_QUALITY)).toString('base64')}`;
}
