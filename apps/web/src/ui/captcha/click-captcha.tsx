import { Button } from 'antd';
import { type KeyboardEvent, type PointerEvent, useId } from 'react';
import { CaptchaFrame, CaptchaPicture } from './captcha-frame.tsx';
import { clamp, percentOf, pictureSize, type Point, pointIn, stepOf } from './captcha-geometry.ts';
import { captchaText } from './captcha-text.ts';
import { type CaptchaPictures, type CaptchaWidgetProps, useCaptchaState } from './captcha-widget.ts';
import styles from './captcha.module.css';

/** Specification §3: `index` from 1, `key` the time of the click in milliseconds. */
export type ClickDot = { index: number; x: number; y: number; key: number };

/** What the server reads at most. */
const maxDots = 10;
const middle: Point = { x: pictureSize.width / 2, y: pictureSize.height / 2 };
const nothing: { dots: readonly ClickDot[]; crossHair: Point | undefined } = { dots: [], crossHair: undefined };

type ClickCaptchaProps = CaptchaWidgetProps<CaptchaPictures, readonly ClickDot[]>;

/** Points are clicked in the order that the thumb shows. */
export function ClickCaptcha(props: ClickCaptchaProps) {
  const helpId = useId();
  const widget = useCaptchaState<CaptchaPictures, readonly ClickDot[], typeof nothing>(props, nothing);
  const { shown, state } = widget;
  const { dots, crossHair } = state;
  const isDisabled = shown === undefined || props.isDisabled === true;

  function addDot({ x, y }: Point) {
    if (dots.length >= maxDots) return;
    widget.setState({ ...state, dots: [...dots, { index: dots.length + 1, x, y, key: Date.now() }] });
  }
  const undo = () => widget.setState({ ...state, dots: dots.slice(0, -1) });
  const confirm = () => {
    if (!isDisabled && dots.length > 0) widget.confirm(dots);
  };

  function click(event: PointerEvent<HTMLElement>) {
    if (isDisabled || event.button !== 0 || !event.isPrimary) return;
    addDot(pointIn(event.currentTarget, event));
  }

  function press(event: KeyboardEvent) {
    if (isDisabled || event.target !== event.currentTarget) return;
    const step = stepOf(event);
    const at = crossHair ?? middle;
    if (step) {
      const x = clamp(at.x + step.x, 0, pictureSize.width);
      widget.setState({ ...state, crossHair: { x, y: clamp(at.y + step.y, 0, pictureSize.height) } });
    } else if (event.key === ' ') addDot(at);
    else if (event.key === 'Backspace') undo();
    else if (event.key === 'Enter') confirm();
    else return;
    event.preventDefault();
  }

  return (
    <CaptchaFrame
      title={captchaText.clickTitle}
      thumb={
        <span className={styles.thumb}>
          {shown && <CaptchaPicture src={shown.thumb} alt={captchaText.clickOrder} />}
        </span>
      }
      picture={
        shown ? (
          <div
            className={`${styles.picture} ${styles.clickable}`}
            role="application"
            aria-label={captchaText.clickArea}
            aria-describedby={helpId}
            aria-disabled={isDisabled}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the cross-hair is moved by keyboard
            tabIndex={isDisabled ? -1 : 0}
            onPointerDown={click}
            onKeyDown={press}
          >
            <CaptchaPicture src={shown.image} className={styles.fill ?? ''} />
            {dots.map((dot) => (
              <button
                key={dot.key + dot.index}
                type="button"
                className={styles.dot}
                style={placeOf(dot)}
                // Only the last one can be taken back, or the numbers of the others would change.
                disabled={isDisabled || dot.index !== dots.length}
                aria-label={captchaText.dot(dot.index)}
                onPointerDown={(event) => event.stopPropagation()}
                onClick={undo}
              >
                {dot.index}
              </button>
            ))}
            {crossHair && !isDisabled && <span className={styles.crossHair} style={placeOf(crossHair)} aria-hidden />}
            <span id={helpId} className={styles.hidden}>
              {captchaText.clickHelp}
            </span>
          </div>
        ) : (
          <div className={styles.picture}>{props.placeholder}</div>
        )
      }
      control={
        <>
          <span className={styles.count} role="status">
            {captchaText.dotCount(dots.length)}
          </span>
          <Button type="primary" disabled={isDisabled} autoInsertSpace={false} onClick={confirm}>
            {captchaText.confirm}
          </Button>
        </>
      }
      isControlBeside
      isDisabled={props.isDisabled === true}
      onClose={widget.close}
      onRefresh={widget.refresh}
    />
  );
}

function placeOf({ x, y }: Point) {
  return { left: percentOf(x, pictureSize.width), top: percentOf(y, pictureSize.height) };
}
