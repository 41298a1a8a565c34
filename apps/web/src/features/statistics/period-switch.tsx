import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { Statistics } from '@tongtu/contract';
import { statisticsText } from '../../text/statistics.ts';
import { pointText } from './beijing-time.ts';
import type { PeriodUnit } from './statistics-view.ts';
import styles from './statistics.module.css';

const dayMs = 86_400_000;
/** How long the server keeps the rows of a unit. */
const keptDays: Record<PeriodUnit, number> = { hour: 90, day: 730, month: 730 };

type PeriodSwitchProps = {
  statistics: Statistics;
  unit: PeriodUnit;
  /** When the statistics arrived. */
  shownAtMs: number;
  isPresent: boolean;
  onUntil: (until: string | undefined) => void;
};

/** Leads to the period before and to the one after. */
export function PeriodSwitch({ statistics, unit, shownAtMs, isPresent, onUntil }: PeriodSwitchProps) {
  const { points } = statistics;
  const [fromMs, toMs] = [Date.parse(statistics.from), Date.parse(statistics.to)];
  const lastMs = Date.parse(points.at(-1)?.at ?? statistics.from);
  const laterMs = toMs + (toMs - fromMs) - 1;
  const isOldest = fromMs <= shownAtMs - keptDays[unit] * dayMs;
  return (
    <nav className={styles.switch} aria-label={statisticsText.periodLabel}>
      <Button
        size="small"
        icon={<LeftOutlined aria-hidden />}
        disabled={isOldest}
        onClick={() => onUntil(new Date(fromMs - 1).toISOString())}
      >
        {statisticsText.earlier}
      </Button>
      <span>{statisticsText.period(pointText(unit, fromMs), pointText(unit, lastMs))}</span>
      <Button
        size="small"
        icon={<RightOutlined aria-hidden />}
        iconPlacement="end"
        disabled={isPresent}
        onClick={() => onUntil(laterMs < Date.now() ? new Date(laterMs).toISOString() : undefined)}
      >
        {statisticsText.later}
      </Button>
      {!isPresent && (
        <Button size="small" type="link" onClick={() => onUntil(undefined)}>
          {statisticsText.toPresent}
        </Button>
      )}
    </nav>
  );
}
