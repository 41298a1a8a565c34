import type { CSSProperties } from 'react';
import { percentOf, imageSize, type Point } from './captcha-geometry.ts';
import type { CaptchaImages } from './captcha-widget.ts';
import type { Trail } from './use-trail.ts';

/** Specification §3: the tile's start and size in pixels of the image. Without a size §9 applies. */
export type TileImages = CaptchaImages & {
  thumbX: number;
  thumbY: number;
  thumbWidth?: number;
  thumbHeight?: number;
};

/** Specification §9. */
const defaultThumb = { width: 150, height: 40 };

export function tileSize({ thumbWidth, thumbHeight }: TileImages): { width: number; height: number } {
  return { width: thumbWidth ?? defaultThumb.width, height: thumbHeight ?? defaultThumb.height };
}

/** The tile's upper left corner. */
export type TileAnswer = Point & { trail: Trail };

export function tileStyle(data: TileImages, at: Point): CSSProperties {
  const { width, height } = tileSize(data);
  return {
    left: percentOf(at.x, imageSize.width),
    top: percentOf(at.y, imageSize.height),
    width: percentOf(width, imageSize.width),
    height: percentOf(height, imageSize.height),
  };
}
