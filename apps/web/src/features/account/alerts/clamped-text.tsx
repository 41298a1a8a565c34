import { Button } from 'antd';
import { useEffect, useId, useRef, useState } from 'react';
import { alertDeliveriesText } from '../../../text/alerts.ts';
import styles from './alerts.module.css';

type ClampedTextProps = {
  text: string;
  /** The id of what tells this text from others, for who hears the button alone. */
  describedBy: string;
};

/** A text of a few lines at most, until the rest is asked for. Screen readers have all of it either way. */
export function ClampedText({ text, describedBy }: ClampedTextProps) {
  const shown = useRef<HTMLElement>(null);
  const textId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [isCut, setIsCut] = useState(false);

  useEffect(() => {
    const element = shown.current;
    if (isOpen || !element) return undefined;
    const observer = new ResizeObserver(() => setIsCut(element.scrollHeight > element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [isOpen, text]);

  return (
    <div className={styles.deliveryText}>
      <bdi ref={shown} id={textId} className={isOpen ? styles.whole : styles.clamped}>
        {text}
      </bdi>
      {isCut && (
        <Button
          type="link"
          size="small"
          className={styles.unfold ?? ''}
          onClick={() => setIsOpen(!isOpen)}
          aria-expanded={isOpen}
          aria-controls={textId}
          aria-describedby={describedBy}
        >
          {isOpen ? alertDeliveriesText.fold : alertDeliveriesText.unfold}
        </Button>
      )}
    </div>
  );
}
