import { Button } from 'antd';
import type { MappingFix, VisitCheck } from '@tongtu/contract';
import { visitText } from '../../../text/devices/visit-check.ts';
import { Mono } from '../../../ui/mono.tsx';
import { Problem } from '../../confirm/problem.tsx';
import styles from './visit-comparison.module.css';

/** What a visitor gets beside what the device gets. */
export function VisitComparison({ visit }: { visit: VisitCheck }) {
  const rows = [
    { name: visitText.visitor, page: visit.visitor },
    { name: visitText.direct, page: visit.direct },
  ];
  return (
    <dl className={styles.pages}>
      {rows.map(({ name, page }) => (
        <div key={name} className={styles.page}>
          <dt>{name}</dt>
          <dd>
            {page === null ? (
              visitText.noDirect
            ) : (
              <>
                <span>{page.text}</span>
                <Mono>{page.url}</Mono>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

type VisitRemedyProps = {
  visit: VisitCheck;
  isFixing: boolean;
  error: Error | null;
  onFix: (fix: MappingFix) => void;
};

/** The settings that were found to work, with the button that applies them, and what to set in the service. */
export function VisitRemedy({ visit, isFixing, error, onFix }: VisitRemedyProps) {
  const { fix, advice } = visit;
  if (fix === null && advice === null) return null;
  const hidesVisitors = fix?.visitor_fields !== undefined && fix.visitor_fields !== 'send';
  return (
    <div className={styles.remedy}>
      {fix !== null && (
        <>
          <p>{visitText.fixTitle}</p>
          <ul>
            {visitText.fixLines(fix).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {hidesVisitors && <p>{visitText.hidesVisitors}</p>}
          {fix.target?.startsWith('http:') === true && <p>{visitText.lessTls}</p>}
          <Button type="primary" loading={isFixing} onClick={() => onFix(fix)}>
            {visitText.fix}
          </Button>
          <Problem error={error} />
        </>
      )}
      {advice !== null && (
        <p>
          {fix === null ? visitText.adviceAlone : visitText.advice}
          {advice}
        </p>
      )}
    </div>
  );
}
