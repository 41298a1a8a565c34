import { CaptchaImage } from './captcha-frame.tsx';
import { maxDrag, imageSize, rounded } from './captcha-geometry.ts';
import { captchaText } from './captcha-text.ts';
import { type CaptchaWidgetProps, useCaptchaState } from './captcha-widget.ts';
import styles from './captcha.module.css';
import { SliderFrame } from './slider-frame.tsx';
import { tileSize, tileStyle, type TileAnswer, type TileImages } from './tile.ts';
import type { Trail } from './use-trail.ts';

/** The tile starts at its own place and reaches the right edge together with the handle. */
function tileX(data: TileImages, drag: number): number {
  return rounded(data.thumbX + (drag * tileRange(data)) / maxDrag);
}

function tileRange(data: TileImages): number {
  return Math.max(imageSize.width - tileSize(data).width - data.thumbX, 1);
}

/** A tile that a slider moves to its hole. */
export function SlideCaptcha(props: CaptchaWidgetProps<TileImages, TileAnswer>) {
  const widget = useCaptchaState<TileImages, TileAnswer, number>(props, 0);
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
      image={
        <div className={styles.image}>
          {shown ? <CaptchaImage src={shown.image} className={styles.fill ?? ''} /> : props.placeholder}
          {shown && (
            <span className={styles.tile} style={tileStyle(shown, { x, y: shown.thumbY })}>
              <CaptchaImage src={shown.thumb} className={styles.fill ?? ''} />
            </span>
          )}
        </div>
      }
      label={captchaText.slideHandle}
      stepDrag={shown ? maxDrag / tileRange(shown) : 1}
      value={Math.round(x)}
      min={Math.round(shown?.thumbX ?? 0)}
      max={imageSize.width - Math.round(shown ? tileSize(shown).width : 0)}
      valueText={captchaText.pixels(Math.round(x))}
      onDone={done}
      widget={widget}
      isDisabled={props.isDisabled === true}
    />
  );
}
