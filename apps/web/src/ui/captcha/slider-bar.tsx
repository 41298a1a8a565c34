import { DoubleRightOutlined } from '@ant-design/icons';
import { type KeyboardEvent, useId, useRef } from 'react';
import { clamp, handleWidth, maxDrag, percentOf, imageSize, scaleOf, stepOf } from './captcha-geometry.ts';
import { captchaText } from './captcha-text.ts';
import styles from './captcha.module.css';
import { useDrag } from './use-drag.ts';
import { type Trail, useTrail } from './use-trail.ts';

export type SliderBarProps = {
  label: string;
  /** The handle's distance from the left end, in pixels of the image. */
  drag: number;
  /** The distance of one arrow key, in the same unit. */
  stepDrag: number;
  isDisabled: boolean;
  value: number;
  min: number;
  max: number;
  valueText: string;
  onHold: () => void;
  onDrag: (drag: number) => void;
  /** Called when the user has moved the handle and then released it or pressed Enter. */
  onDone: (drag: number, trail: Trail) => void;
  onRelease: () => void;
  onReset: () => void;
};

/** The handle on its track, for pointer and keyboard. */
export function SliderBar(props: SliderBarProps) {
  const helpId = useId();
  const bar = useRef<HTMLDivElement>(null);
  const trail = useTrail();
  /** The handle's current place. A drag may end before its last move has been rendered. */
  const at = useRef(0);
  const from = useRef(0);
  const isMoved = useRef(false);

  const handlers = useDrag({
    isDisabled: props.isDisabled,
    onStart() {
      from.current = props.drag;
      isMoved.current = false;
      trail.start({ x: props.drag, y: 0 });
      props.onHold();
    },
    onMove(distance) {
      const scale = scaleOf(bar.current);
      at.current = clamp(from.current + distance.x / scale, 0, maxDrag);
      isMoved.current = true;
      trail.add({ x: at.current, y: clamp(distance.y / scale, -50, 400) });
      props.onDrag(at.current);
    },
    onEnd() {
      props.onRelease();
      if (isMoved.current) props.onDone(at.current, trail.read());
      trail.forget();
    },
    onCancel() {
      trail.forget();
      props.onRelease();
      props.onReset();
    },
  });

  function press(event: KeyboardEvent) {
    const step = stepOf(event);
    if (step) {
      if (trail.isEmpty()) trail.start({ x: props.drag, y: 0 });
      // The up arrow increases the value, as with any slider.
      const drag = clamp(props.drag + (step.x - step.y) * props.stepDrag, 0, maxDrag);
      trail.add({ x: drag, y: 0 });
      props.onDrag(drag);
    } else if (event.key === 'Enter') {
      if (!trail.isEmpty()) props.onDone(props.drag, trail.read());
      trail.forget();
    } else return;
    event.preventDefault();
  }

  return (
    <div className={styles.bar} ref={bar}>
      <span className={styles.done} style={{ width: percentOf(props.drag, imageSize.width) }} aria-hidden />
      <button
        type="button"
        role="slider"
        className={styles.handle}
        style={{ left: percentOf(props.drag, imageSize.width), width: percentOf(handleWidth, imageSize.width) }}
        disabled={props.isDisabled}
        aria-label={props.label}
        aria-describedby={helpId}
        aria-valuemin={props.min}
        aria-valuemax={props.max}
        aria-valuenow={props.value}
        aria-valuetext={props.valueText}
        onKeyDown={press}
        {...handlers}
      >
        <DoubleRightOutlined aria-hidden />
      </button>
      <span id={helpId} className={styles.hidden}>
        {captchaText.sliderHelp}
      </span>
    </div>
  );
}
