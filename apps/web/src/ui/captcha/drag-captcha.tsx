import { type KeyboardEvent, useId, useRef } from 'react';
import { CaptchaFrame, CaptchaImage } from './captcha-frame.tsx';
import { clamp, imageSize, type Point, rounded, scaleOf, stepOf } from './captcha-geometry.ts';
import { captchaText } from './captcha-text.ts';
import { type CaptchaWidgetProps, useCaptchaState } from './captcha-widget.ts';
import styles from './captcha.module.css';
import { tileSize, tileStyle, type TileAnswer, type TileImages } from './tile.ts';
import { useDrag } from './use-drag.ts';
import { useTrail } from './use-trail.ts';

type DragProps = CaptchaWidgetProps<TileImages, TileAnswer>;

/** Keeps the tile inside the image. */
function within(data: TileImages, { x, y }: Point): Point {
  const { width, height } = tileSize(data);
  return {
    x: rounded(clamp(x, 0, imageSize.width - width)),
    y: rounded(clamp(y, 0, imageSize.height - height)),
  };
}

function useTileMoves(props: DragProps) {
  const widget = useCaptchaState<TileImages, TileAnswer, Point | undefined>(props, undefined);
  const { shown } = widget;
  const image = useRef<HTMLDivElement>(null);
  const trail = useTrail();
  const from = useRef<Point>({ x: 0, y: 0 });
  /** The tile's current place. A drag may end before its last move has been rendered. */
  const to = useRef<Point>(undefined);
  const isDisabled = shown === undefined || props.isDisabled === true;
  const at = widget.state ?? { x: shown?.thumbX ?? 0, y: shown?.thumbY ?? 0 };

  function moveTo(point: Point) {
    if (!shown) return;
    const next = within(shown, point);
    to.current = next;
    trail.add(next);
    widget.setState(next);
  }
  function done() {
    if (to.current && to.current.x >= 0 && to.current.y >= 0) widget.confirm({ ...to.current, trail: trail.read() });
    to.current = undefined;
    trail.forget();
  }
  const handlers = useDrag({
    isDisabled,
    onStart() {
      from.current = at;
      to.current = undefined;
      trail.start(at);
      widget.hold();
    },
    onMove(distance) {
      const scale = scaleOf(image.current);
      moveTo({ x: from.current.x + distance.x / scale, y: from.current.y + distance.y / scale });
    },
    onEnd() {
      widget.release();
      done();
    },
    onCancel() {
      trail.forget();
      widget.release();
      widget.reset();
    },
  });

  function press(event: KeyboardEvent) {
    const step = stepOf(event);
    if (step) {
      if (trail.isEmpty()) trail.start(at);
      moveTo({ x: at.x + step.x, y: at.y + step.y });
    } else if (event.key === 'Enter') done();
    else return;
    event.preventDefault();
  }

  return { widget, shown, at, isDisabled, image, handlers: { ...handlers, onKeyDown: press } };
}

/** A tile that the user drags to its hole, anywhere in the image. */
export function DragCaptcha(props: DragProps) {
  const helpId = useId();
  const { widget, shown, at, isDisabled, image, handlers } = useTileMoves(props);
  return (
    <CaptchaFrame
      title={captchaText.dragTitle}
      image={
        <div className={styles.image} ref={image}>
          {shown ? <CaptchaImage src={shown.image} className={styles.fill ?? ''} /> : props.placeholder}
          {shown && (
            <button
              type="button"
              className={`${styles.tile} ${styles.movable}`}
              style={tileStyle(shown, at)}
              disabled={isDisabled}
              aria-label={`${captchaText.dragHandle}，${captchaText.position(Math.round(at.x), Math.round(at.y))}`}
              aria-describedby={helpId}
              {...handlers}
            >
              <CaptchaImage src={shown.thumb} className={styles.fill ?? ''} />
            </button>
          )}
          <span id={helpId} className={styles.hidden}>
            {captchaText.sliderHelp}
          </span>
        </div>
      }
      isDisabled={widget.isHeld || props.isDisabled === true}
      onClose={widget.close}
      onRefresh={widget.refresh}
    />
  );
}
