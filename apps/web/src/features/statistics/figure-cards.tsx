import type { Statistics, UsageFigures } from '@tongtu/contract';
import { bytesText, countText } from '../../text/amounts.ts';
import { statisticsText } from '../../text/statistics.ts';
import { msText, peopleText } from './charts.ts';
import styles from './statistics.module.css';

const { figures: names, figureHints: hints } = statisticsText;

/** From here on a multiple is easier to grasp than a percentage. */
const multipleFrom = 10;

type Words = { more: (change: string) => string; less: (change: string) => string };
const amountWords: Words = statisticsText;
const durationWords: Words = { more: statisticsText.slower, less: statisticsText.faster };

type Figure = {
  key: keyof typeof names;
  read: (figures: UsageFigures) => number | null;
  textOf: (figures: UsageFigures) => string;
  words: Words;
};

const errorsOf = (figures: UsageFigures) => figures.server_errors + figures.failed;

const figures: readonly Figure[] = [
  { key: 'bytesOut', read: (of) => of.bytes_out, textOf: (of) => bytesText(of.bytes_out), words: amountWords },
  { key: 'bytesIn', read: (of) => of.bytes_in, textOf: (of) => bytesText(of.bytes_in), words: amountWords },
  { key: 'requests', read: (of) => of.requests, textOf: (of) => countText(of.requests), words: amountWords },
  { key: 'errors', read: errorsOf, textOf: (of) => countText(errorsOf(of)), words: amountWords },
  {
    key: 'visitors',
    read: (of) => of.visitors,
    textOf: (of) => peopleText(of.visitors, of.is_exact),
    words: amountWords,
  },
  {
    key: 'networks',
    read: (of) => of.networks,
    textOf: (of) => peopleText(of.networks, of.is_exact),
    words: amountWords,
  },
  { key: 'p50', read: (of) => of.p50_ms, textOf: (of) => msText(of.p50_ms), words: durationWords },
  { key: 'p95', read: (of) => of.p95_ms, textOf: (of) => msText(of.p95_ms), words: durationWords },
];

/** How a figure has changed since the period before, in words. */
export function changeText(now: number | null, before: number | null, words: Words = amountWords): string {
  if (now === null || before === null) return statisticsText.notComparable;
  if (now === before) return statisticsText.sameAsBefore;
  if (before === 0) return statisticsText.noneBefore;
  const ratio = now / before;
  if (ratio >= multipleFrom) return statisticsText.multiple(Math.round(ratio));
  // A tenth of a percent is the least that is shown.
  const change = statisticsText.percent(Math.max(0.001, Math.abs(ratio - 1)));
  return ratio > 1 ? words.more(change) : words.less(change);
}

/** The figures of the whole period, beside those of the period before. */
export function FigureCards({ total, previous }: Pick<Statistics, 'total' | 'previous'>) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ key, read, textOf, words }) => (
        <div key={key} className={styles.panel} title={hints[key]}>
          <dt>{names[key]}</dt>
          <dd>{textOf(total)}</dd>
          <dd className={styles.quiet} title={previous ? statisticsText.previousWas(textOf(previous)) : undefined}>
            {changeText(read(total), previous && read(previous), words)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
