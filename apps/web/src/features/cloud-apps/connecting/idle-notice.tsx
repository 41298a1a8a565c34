import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { connectingText } from '../../../text/cloud-apps/connecting.ts';
import styles from './connecting.module.css';

const tickMs = 1_000;

/** Counts down to the end that the gateway has announced. */
export function IdleNotice({ seconds, onStay }: { seconds: number; onStay: () => void }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => Math.max(before - 1, 0)), tickMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className={styles.line}>
      {/* It is announced once, not every second. */}
      <span className={styles.announced} role="alert">
        {connectingText.idleWarning(seconds)}
      </span>
      <span className={styles.lineText} aria-hidden>
        {connectingText.idleWarning(left)}
      </span>
      <Button size="small" type="primary" onClick={onStay}>
        {connectingText.stay}
      </Button>
    </div>
  );
}
