import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** Rows above and below the visible ones, so that scrolling finds them drawn. */
const spare = 8;

type Rows = { count: number; rowHeight: number; headHeight: number; spareRows?: number };

/** Of many rows of one height, those that can be seen. The scrolled element has a head that stays at its top. */
export function useVisibleRows({ count, rowHeight, headHeight, spareRows = spare }: Rows) {
  const scroller = useRef<HTMLDivElement>(null);
  const [visible, setVisible] = useState({ first: 0, last: 40 });

  function measure() {
    const element = scroller.current;
    if (!element) return;
    const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - spareRows);
    const last = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + spareRows;
    setVisible((before) => (before.first === first && before.last === last ? before : { first, last }));
  }
  const onChange = useEffectEvent(measure);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const run = () => onChange();
    const observer = new ResizeObserver(run);
    observer.observe(element);
    element.addEventListener('scroll', run, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', run);
    };
  }, []);
  useEffect(() => onChange(), [rowHeight]);

  /** Scrolls as little as needed. */
  function reveal(index: number) {
    const element = scroller.current;
    if (!element) return;
    const top = index * rowHeight;
    const bottom = top + rowHeight + headHeight - element.clientHeight;
    if (top < element.scrollTop) element.scrollTo({ top });
    else if (bottom > element.scrollTop) element.scrollTo({ top: bottom });
    measure();
  }

  return { scroller, first: Math.min(visible.first, count), last: Math.min(visible.last, count), reveal };
}
