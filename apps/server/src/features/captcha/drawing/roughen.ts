import { randomBytes } from 'node:crypto';
import type { Canvas } from '@napi-rs/canvas';
import { between } from './random.ts';

/** `shift` is added to the brightness, `contrast` multiplies a colour's distance from grey. */
export type Tone = { shift: number; contrast: number };

export function makeTone(): Tone {
  return { shift: between(-18, 18), contrast: between(0.8, 1.1) };
}

/** Adds noise of ±`strength` to every pixel and changes the tone, so that no pixel matches another picture's. */
export function roughen(canvas: Canvas, strength: number, tone: Tone = { shift: 0, contrast: 1 }): void {
  const ctx = canvas.getContext('2d');
  const picture = ctx.getImageData(0, 0, canvas.width, canvas.height);
  const { data } = picture;
  const noise = randomBytes(data.length / 4);
  const added = Float32Array.from({ length: 256 }, (_, byte) => (byte / 127.5 - 1) * strength);
  const toned = Float32Array.from({ length: 256 }, (_, value) => 128 + tone.shift + (value - 128) * tone.contrast);
  // All three arrays have an entry for every index. Writing clamps to 0…255.
  for (let i = 0; i < data.length; i += 4) {
    const more = added[noise[i >> 2] as number] as number;
    data[i] = (toned[data[i] as number] as number) + more;
    data[i + 1] = (toned[data[i + 1] as number] as number) + more;
    data[i + 2] = (toned[data[i + 2] as number] as number) + more;
  }
  ctx.putImageData(picture, 0, 0);
}
