import { CaptchaPicture } from './captcha-frame.tsx';
import { maxDrag, pictureSize, rounded } from './captcha-geometry.ts';
import { captchaText } from './captcha-text.ts';
import { type CaptchaWidgetProps, useCaptchaState } from './captcha-widget.ts';
import styles from './captcha.module.css';
import { SliderFrame } from './slider-frame.tsx';
import { tileSize, tileStyle, type TileAnswer, type TilePictures } from './tile.ts';
import type { Trail } from './use-trail.ts';

/** The tile starts at its own place and reaches the right edge when the handle does. */
function tileX(data: TilePictures, drag: number): number {
  return rounded(data.thumbX + (drag * tileWay(data)) / maxDrag);
}

function tileWay(data: TilePictures): number {
  return Math.max(pictureSize.width - tileSize(data).width - data.thumbX, 1);
}

/** A tile that a slider moves to where it is missing. */
export function SlideCaptcha(props: CaptchaWidgetProps<TilePictures, TileAnswer>) {
  const widget = useCaptchaState<TilePictures, TileAnswer, number>(props, 0);
  const { shown, state: drag } = widget;
  const x = shown ? tileX(shown, drag) : 0;

  function done(at: number, trail: Trail) {
    if (!shown) return;
    const answer = { x: tileX(shown, at), y: shown.thumbY, trail };
    if (answer.x >= 0) widget.confirm(answer);
  }

  return (
    <SliderFrame
      title={captchaText.slideTitle}
      picture={
        <div className={styles.picture}>
          {shown ? <CaptchaPicture src={shown.image} className={styles.fill ?? ''} /> : props.placeholder}
          {shown && (
            <span className={styles.tile} style={tileStyle(shown, { x, y: shown.thumbY })}>
              <CaptchaPicture src={shown.thumb} className={styles.fill ?? ''} />
            </span>
          )}
        </div>
      }
      label={captchaText.slideHandle}
      stepDrag={shown ? maxDrag / tileWay(shown) : 1}
      value={Math.round(x)}
      min={Math.round(shown?.thumbX ?? 0)}
      max={pictureSize.width - Math.round(shown ? tileSize(shown).width : 0)}
      valueText={captchaText.pixels(Math.round(x))}
      onDone={done}
      widget={widget}
      isDisabled={props.isDisabled === true}
    />
  );
}
