import type { CSSProperties } from 'react';
import { percentOf, pictureSize, type Point } from './captcha-geometry.ts';
import type { CaptchaPictures } from './captcha-widget.ts';
import type { Trail } from './use-trail.ts';

/** Specification §3: where the tile starts and how large it is, in pixels of the picture. */
export type TilePictures = CaptchaPictures & {
  thumbX: number;
  thumbY: number;
  thumbWidth: number;
  thumbHeight: number;
};

/** The tile's upper left corner. */
export type TileAnswer = Point & { trail: Trail };

export function tileStyle(data: TilePictures, at: Point): CSSProperties {
  return {
    left: percentOf(at.x, pictureSize.width),
    top: percentOf(at.y, pictureSize.height),
    width: percentOf(data.thumbWidth, pictureSize.width),
    height: percentOf(data.thumbHeight, pictureSize.height),
  };
}
