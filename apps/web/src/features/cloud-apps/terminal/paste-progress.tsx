import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { terminalText } from '../../../text/cloud-apps/terminal.ts';
import styles from './terminal.module.css';
import { type PasteProgress as Progressed, stuckAfterMs } from './terminal-input.ts';

/** A paste that is done before the first look is not worth showing. */
const lookEveryMs = 400;

type PasteProgressProps = { progress: () => Progressed | undefined; onStop: () => void };

/** How far a paste is. It lies over the terminal: lines that move the terminal would change its size. */
export function PasteProgress({ progress, onStop }: PasteProgressProps) {
  const [seen, setSeen] = useState<Progressed & { sinceMs: number }>();
  useEffect(() => {
    const timer = setInterval(() => {
      const now = progress();
      setSeen((before) => {
        if (!now) return undefined;
        if (before?.sentBytes === now.sentBytes) return { ...now, sinceMs: before.sinceMs + lookEveryMs };
        return { ...now, sinceMs: 0 };
      });
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [progress]);
  if (!seen) return null;
  const { sentBytes, totalBytes, sinceMs } = seen;
  return (
    <div className={styles.paste} role="group" aria-label={terminalText.pasteProgress}>
      <span className={styles.pasteText}>
        {terminalText.pasting(sentBytes, totalBytes)}
        <progress aria-label={terminalText.pasteProgress} max={totalBytes} value={sentBytes} />
        <small role="status">{sinceMs >= stuckAfterMs ? terminalText.pasteStuck : terminalText.pasteHintStop}</small>
      </span>
      <Button size="small" onClick={onStop}>
        {terminalText.stopPaste}
      </Button>
    </div>
  );
}
