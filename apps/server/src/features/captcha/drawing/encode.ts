import type { Canvas } from '@napi-rs/canvas';

const JPEG_QUALITY = 80;

/** Encodes on another thread. */
export async function toJpegUrl(canvas: Canvas): Promise<string> {
  return `data:image/jpeg;base64,${(await canvas.encode('jpeg', JPEG_QUALITY)).toString('base64')}`;
}
