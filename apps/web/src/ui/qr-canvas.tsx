import { toCanvas } from 'qrcode';
import { useEffect, useRef } from 'react';
import { uiText } from './ui-text.ts';
import styles from './ui.module.css';

type QrCanvasProps = {
  text: string;
  /** Pixels; the defaults are those of specification §9. */
  width?: number;
  level?: 'L' | 'M' | 'Q' | 'H';
  margin?: number;
  /** What it is for, said to those who do not see it. */
  label?: string;
};

/** A text as QR code. One that cannot be drawn is logged and leaves the canvas empty (specification §8). */
export function QrCanvas(props: QrCanvasProps) {
  const { text, width = 200, level = 'L', margin = 0, label = uiText.qrCode } = props;
  const canvas = useRef<HTMLCanvasElement>(null);

  useEffect(() => {
    const target = canvas.current;
    if (!target) return;
    toCanvas(target, text, { width, margin, errorCorrectionLevel: level }).catch((error: unknown) => {
      // Nothing of an older text may be scanned in place of this one.
      target.getContext('2d')?.clearRect(0, 0, target.width, target.height);
      // oxlint-disable-next-line no-console -- the browser's console is the page's only log
      console.error(error);
    });
  }, [text, width, level, margin]);

  return (
    <span className={styles.qrGround}>
      <canvas ref={canvas} width={width} height={width} role="img" aria-label={label} />
    </span>
  );
}
