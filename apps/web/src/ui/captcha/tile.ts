import type { CSSProperties } from 'react';
import { percentOf, pictureSize, type Point } from './captcha-geometry.ts';
import type { CaptchaPictures } from './captcha-widget.ts';
import type { Trail } from './use-trail.ts';

/** Specification §3: where the tile starts and how large it is, in pixels of the picture; without a size it has that of §9. */
export type TilePictures = CaptchaPictures & {
  thumbX: number;
  thumbY: number;
  thumbWidth?: number;
  thumbHeight?: number;
};

/** Specification §9. */
const defaultThumb = { width: 150, height: 40 };

export function tileSize({ thumbWidth, thumbHeight }: TilePictures): { width: number; height: number } {
  return { width: thumbWidth ?? defaultThumb.width, height: thumbHeight ?? defaultThumb.height };
}

/** The tile's upper left corner. */
export type TileAnswer = Point & { trail: Trail };

export function tileStyle(data: TilePictures, at: Point): CSSProperties {
  const { width, height } = tileSize(data);
  return {
    left: percentOf(at.x, pictureSize.width),
    top: percentOf(at.y, pictureSize.height),
    width: percentOf(width, pictureSize.width),
    height: percentOf(height, pictureSize.height),
  };
}
