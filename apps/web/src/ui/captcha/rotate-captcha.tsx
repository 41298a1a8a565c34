import { CaptchaImage } from './captcha-frame.tsx';
import { clamp, maxDrag, percentOf, rounded } from './captcha-geometry.ts';
import { captchaText } from './captcha-text.ts';
import { type CaptchaImages, type CaptchaWidgetProps, useCaptchaState } from './captcha-widget.ts';
import styles from './captcha.module.css';
import { SliderFrame } from './slider-frame.tsx';
import type { Trail } from './use-trail.ts';

/** Specification §3: the diameter of the round middle in pixels, and its initial angle in degrees clockwise. */
export type RotateImages = CaptchaImages & { thumbSize: number; angle: number };
/** The final angle of the middle, 0 to 360 degrees clockwise. */
export type RotateAnswer = { angle: number; trail: Trail };

/** Specification §9. */
const diameter = 220;
const fullTurn = 360;

function turnLeft(data: RotateImages): number {
  return Math.max(fullTurn - data.angle, 1);
}

function angleAt(data: RotateImages, drag: number): number {
  return rounded(clamp(data.angle + (drag * turnLeft(data)) / maxDrag, 0, fullTurn));
}

/** A round middle that a slider rotates until it fits the image around it. */
export function RotateCaptcha(props: CaptchaWidgetProps<RotateImages, RotateAnswer>) {
  const widget = useCaptchaState<RotateImages, RotateAnswer, number>(props, 0);
  const { shown, state: drag } = widget;
  const angle = shown ? angleAt(shown, drag) : 0;

  function done(at: number, trail: Trail) {
    if (!shown) return;
    const answer = { angle: angleAt(shown, at), trail };
    if (answer.angle >= 0) widget.confirm(answer);
  }

  return (
    <SliderFrame
      title={captchaText.rotateTitle}
      image={
        <div className={styles.image}>
          {!shown && props.placeholder}
          {shown && (
            <span className={styles.round}>
              <CaptchaImage src={shown.image} className={styles.fill ?? ''} />
              <span
                className={styles.middle}
                style={{ width: percentOf(shown.thumbSize, diameter), transform: `rotate(${angle}deg)` }}
              >
                <CaptchaImage src={shown.thumb} className={styles.fill ?? ''} />
              </span>
            </span>
          )}
        </div>
      }
      label={captchaText.rotateHandle}
      stepDrag={shown ? maxDrag / turnLeft(shown) : 1}
      value={Math.round(angle)}
      min={Math.round(shown?.angle ?? 0)}
      max={fullTurn}
      valueText={captchaText.degrees(Math.round(angle))}
      onDone={done}
      widget={widget}
      isDisabled={props.isDisabled === true}
    />
  );
}
