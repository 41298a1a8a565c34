import { Button } from 'antd';
import { CaptchaFrame, CaptchaImage } from './captcha-frame.tsx';
import type { Point } from './captcha-geometry.ts';
import { captchaText } from './captcha-text.ts';
import { type CaptchaImages, type CaptchaWidgetProps, useCaptchaState } from './captcha-widget.ts';
import styles from './captcha.module.css';
import { ClickArea } from './click-area.tsx';

/** Specification §3: `index` counts from 1; `key` is the time of the click in milliseconds. */
export type ClickDot = { index: number; x: number; y: number; key: number };

/** The server reads no more dots than these. */
const maxDots = 10;
const nothing: { dots: readonly ClickDot[]; crossHair: Point | undefined } = { dots: [], crossHair: undefined };

type ClickCaptchaProps = CaptchaWidgetProps<CaptchaImages, readonly ClickDot[]>;

/** The user clicks points in the order that the thumb shows. */
export function ClickCaptcha(props: ClickCaptchaProps) {
  const widget = useCaptchaState<CaptchaImages, readonly ClickDot[], typeof nothing>(props, nothing);
  const { shown, state } = widget;
  const { dots, crossHair } = state;
  const isDisabled = shown === undefined || props.isDisabled === true;

  function addDot({ x, y }: Point) {
    if (dots.length >= maxDots) return;
    widget.setState({ ...state, dots: [...dots, { index: dots.length + 1, x, y, key: Date.now() }] });
  }
  function confirm() {
    if (!isDisabled && dots.length > 0) widget.confirm(dots);
  }

  return (
    <CaptchaFrame
      title={captchaText.clickTitle}
      thumb={
        <span className={styles.thumb}>{shown && <CaptchaImage src={shown.thumb} alt={captchaText.clickOrder} />}</span>
      }
      image={
        shown ? (
          <ClickArea
            dots={dots}
            crossHair={crossHair}
            isDisabled={isDisabled}
            onPoint={addDot}
            onUndo={() => widget.setState({ ...state, dots: dots.slice(0, -1) })}
            onCrossHair={(point) => widget.setState({ ...state, crossHair: point })}
            onEnter={confirm}
          >
            <CaptchaImage src={shown.image} className={styles.fill ?? ''} />
          </ClickArea>
        ) : (
          <div className={styles.image}>{props.placeholder}</div>
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
