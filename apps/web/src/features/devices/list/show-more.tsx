import { Button } from 'antd';
import { useEffect, useEffectEvent, useRef } from 'react';
import { devicesText } from '../../../text/devices/devices.ts';

/** Loads the next lines before the last one is visible. */
const ahead = '800px';

type ShowMoreProps = {
  leftCount: number;
  /** Shows more as soon as the button is close to the visible part. */
  isAutomatic: boolean;
  onMore: () => void;
};

export function ShowMore({ leftCount, isAutomatic, onMore }: ShowMoreProps) {
  const button = useRef<HTMLButtonElement>(null);
  const showMore = useEffectEvent(onMore);
  useEffect(() => {
    if (!isAutomatic || button.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) showMore();
      },
      { rootMargin: ahead },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
    // Observed again after each time, because the button may still be close.
  }, [isAutomatic, leftCount]);

  return (
    <Button ref={button} block onClick={onMore}>
      {devicesText.showMore(leftCount)}
    </Button>
  );
}
