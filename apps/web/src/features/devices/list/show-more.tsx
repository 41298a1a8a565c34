import { Button } from 'antd';
import { useEffect, useEffectEvent, useRef } from 'react';
import { devicesText } from '../../../text/devices.ts';

/** So that the next lines are there before the last one is seen. */
const ahead = '800px';

type ShowMoreProps = {
  leftCount: number;
  /** Shows more when the button comes near. */
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
    // Observed anew after each time: the button may still be near then.
  }, [isAutomatic, leftCount]);

  return (
    <Button ref={button} block onClick={onMore}>
      {devicesText.showMore(leftCount)}
    </Button>
  );
}
