import { useEffect, useEffectEvent, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { plotOptions, type PlotLook } from './plot-options.ts';
import styles from './statistics.module.css';

const heightPx = 200;

type PlotProps = {
  look: PlotLook;
  /** Seconds, then the values of each line. */
  data: UPlot.AlignedData;
  onHover: (index: number | undefined) => void;
};

/** A chart. What it shows must be readable elsewhere, too: a canvas says nothing to a screen reader. */
export function Plot({ look, data, onHover }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  const hover = useEffectEvent((index: number | null | undefined) => onHover(index ?? undefined));

  useEffect(() => {
    const target = box.current;
    if (target === null) return undefined;
    const size = { width: target.clientWidth, height: heightPx };
    const drawn = new UPlot({ ...plotOptions(look, (index) => hover(index)), ...size }, undefined, target);
    plot.current = drawn;
    const observer = new ResizeObserver(() => drawn.setSize({ width: target.clientWidth, height: heightPx }));
    observer.observe(target);
    return () => {
      observer.disconnect();
      drawn.destroy();
    };
  }, [look]);
  useEffect(() => plot.current?.setData(data), [look, data]);

  return <div ref={box} className={styles.plot} aria-hidden />;
}
