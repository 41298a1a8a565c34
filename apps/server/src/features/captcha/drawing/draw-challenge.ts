import type { CaptchaType } from '@tongtu/contract';
import { loadFonts } from './captcha-fonts.ts';
import { drawClick, type ClickDrawing } from './draw-click.ts';
import { drawRotate, type RotateDrawing } from './draw-rotate.ts';
import { drawTile, type TileDrawing } from './draw-tile.ts';

export type Drawing =
  | ({ type: 'click' } & ClickDrawing)
  | ({ type: 'slide' | 'drag' } & TileDrawing)
  | ({ type: 'rotate' } & RotateDrawing);

/** Draws one challenge of this kind. `answer` must not leave the server. */
export async function drawChallenge(type: CaptchaType): Promise<Drawing> {
  loadFonts();
  switch (type) {
    case 'click':
      return { type, ...(await drawClick()) };
    case 'slide':
    case 'drag':
      return { type, ...(await drawTile(type)) };
    case 'rotate':
      return { type, ...(await drawRotate()) };
  }
}
