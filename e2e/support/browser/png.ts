import { createCanvas } from '@napi-rs/canvas';

/** An image of two crossing gradients (PNG, specification §5), so that tests need no binary file in the repository. */
export async function drawPng(width: number, height: number): Promise<Buffer> {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const across = context.createLinearGradient(0, 0, width, 0);
  across.addColorStop(0, 'rgb(0 0 160)');
  across.addColorStop(1, 'rgb(255 0 160)');
  context.fillStyle = across;
  context.fillRect(0, 0, width, height);
  context.globalCompositeOperation = 'lighter';
  const down = context.createLinearGradient(0, 0, 0, height);
  down.addColorStop(0, 'rgb(0 0 0)');
  down.addColorStop(1, 'rgb(0 255 0)');
  context.fillStyle = down;
  context.fillRect(0, 0, width, height);
  return await canvas.encode('png');
}
