import { Button } from 'antd';
import { useEffect, useId, useRef, useState } from 'react';
import { alertDeliveriesText } from '../../../text/account/alerts.ts';
import styles from './alerts.module.css';

type ClampedTextProps = {
  text: string;
  /** The id of the element that names this text, for screen readers that read only the button. */
  describedBy: string;
};

/** A text cut to a few lines, with a button for the rest. Screen readers always read all of it. */
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
