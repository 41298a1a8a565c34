import { createCanvas, loadImage } from '@napi-rs/canvas';

export { drawChallenge, type Drawing } from '../drawing/draw-challenge.ts';
export { type GivenAnswer, judgeAnswer } from '../judging/judge-answer.ts';

/** The pixels of a picture, row by row, four bytes each. */
export async function decodePicture(
  dataUrl: string,
): Promise<{ width: number; height: number; rgba: Uint8ClampedArray }> {
  const image = await loadImage(dataUrl);
  const { width, height } = image;
  const ctx = createCanvas(width, height).getContext('2d');
  ctx.drawImage(image, 0, 0);
  return { width, height, rgba: ctx.getImageData(0, 0, width, height).data };
}
