import { randomBytes } from 'node:crypto';
import type { Canvas } from '@napi-rs/canvas';
import { between } from './random.ts';

/** Brightness that is added, and by how much a colour's distance from grey is multiplied. */
export type Tone = { shift: number; contrast: number };

export function makeTone(): Tone {
  return { shift: between(-18, 18), contrast: between(0.8, 1.1) };
}

/** Adds noise of ±`strength` to every channel and changes the tone, so that no pixel equals another picture's. */
export function roughen(canvas: Canvas, strength: number, tone: Tone = { shift: 0, contrast: 1 }): void {
  const ctx = canvas.getContext('2d');
  const picture = ctx.getImageData(0, 0, canvas.width, canvas.height);
  const { data } = picture;
  const noise = randomBytes(data.length);
  const scale = strength / 127.5;
  const base = 128 + tone.shift - strength;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] === 0) continue;
    for (let channel = i; channel < i + 3; channel++) {
      // Both have an entry for every channel; writing clamps to 0…255.
      data[channel] = base + ((data[channel] as number) - 128) * tone.contrast + (noise[channel] as number) * scale;
    }
  }
  ctx.putImageData(picture, 0, 0);
}
