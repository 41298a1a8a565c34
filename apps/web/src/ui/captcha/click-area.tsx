import { type KeyboardEvent, type MouseEvent, type ReactNode, useId } from 'react';
import { clamp, percentOf, imageSize, type Point, pointIn, stepOf } from './captcha-geometry.ts';
import { captchaText } from './captcha-text.ts';
import styles from './captcha.module.css';

const middle: Point = { x: imageSize.width / 2, y: imageSize.height / 2 };

type ClickAreaProps = {
  children: ReactNode;
  dots: readonly (Point & { index: number; key: number })[];
  /** The keyboard's cross-hair, shown after its first move. */
  crossHair: Point | undefined;
  isDisabled: boolean;
  onPoint: (point: Point) => void;
  onUndo: () => void;
  onCrossHair: (point: Point) => void;
  onEnter: () => void;
};

/** An image with points to click, or to choose with the keyboard's cross-hair. */
export function ClickArea({ children, dots, crossHair, isDisabled, ...events }: ClickAreaProps) {
  const helpId = useId();

  // Not on pointerdown: the click of a finger would then hit the dot that has just appeared below it and remove it.
  function click(event: MouseEvent<HTMLElement>) {
    if (!isDisabled) events.onPoint(pointIn(event.currentTarget, event));
  }
  function press(event: KeyboardEvent) {
    if (isDisabled || event.target !== event.currentTarget) return;
    const step = stepOf(event);
    const at = crossHair ?? middle;
    if (step) {
      const x = clamp(at.x + step.x, 0, imageSize.width);
      events.onCrossHair({ x, y: clamp(at.y + step.y, 0, imageSize.height) });
    } else if (event.key === ' ') events.onPoint(at);
    else if (event.key === 'Backspace') events.onUndo();
    else if (event.key === 'Enter') events.onEnter();
    else return;
    event.preventDefault();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- no role of ARIA is an image with places to click
    <div
      className={`${styles.image} ${styles.clickable}`}
      role="application"
      aria-label={captchaText.clickArea}
      aria-describedby={helpId}
      aria-disabled={isDisabled}
      tabIndex={isDisabled ? -1 : 0}
      onClick={click}
      onKeyDown={press}
    >
      {children}
      {dots.map((dot) => (
        <button
          key={dot.key + dot.index}
          type="button"
          className={styles.dot}
          style={placeOf(dot)}
          // Only the last dot can be removed, or the other dots would change their numbers.
          disabled={isDisabled || dot.index !== dots.length}
          aria-label={captchaText.dot(dot.index)}
          onClick={(event) => {
            event.stopPropagation();
            events.onUndo();
          }}
        >
          {dot.index}
        </button>
      ))}
      {crossHair && !isDisabled && <span className={styles.crossHair} style={placeOf(crossHair)} aria-hidden />}
      <span id={helpId} className={styles.hidden}>
        {captchaText.clickHelp}
      </span>
    </div>
  );
}

function placeOf({ x, y }: Point) {
  return { left: percentOf(x, imageSize.width), top: percentOf(y, imageSize.height) };
}
