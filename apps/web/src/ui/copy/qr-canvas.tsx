import { toCanvas } from 'qrcode';
import { useEffect, useRef } from 'react';
import { uiText } from '../ui-text.ts';
import styles from '../ui.module.css';

type QrCanvasProps = {
  text: string;
  /** In pixels; the defaults are those of specification §9. */
  width?: number;
  level?: 'L' | 'M' | 'Q' | 'H';
  margin?: number;
  /** Describes the code for screen readers. */
  label?: string;
};

/** A text as QR code. A text that cannot be drawn is logged and leaves the canvas empty (specification §8). */
export function QrCanvas(props: QrCanvasProps) {
  const { text, width = 200, level = 'L', margin = 0, label = uiText.qrCode } = props;
  const canvas = useRef<HTMLCanvasElement>(null);

  useEffect(() => {
    const target = canvas.current;
    if (!target) return;
    toCanvas(target, text, { width, margin, errorCorrectionLevel: level }).catch((error: unknown) => {
      // Nobody must scan the code of an older text.
      target.getContext('2d')?.clearRect(0, 0, target.width, target.height);
      // oxlint-disable-next-line no-console -- the browser console is the only log here
      console.error(error);
    });
  }, [text, width, level, margin]);

  return (
    <span className={styles.qrGround}>
      <canvas ref={canvas} width={width} height={width} role="img" aria-label={label} />
    </span>
  );
}
