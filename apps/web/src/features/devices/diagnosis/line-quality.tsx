import { Alert } from 'antd';
import type { Diagnosis } from '@tongtu/contract';
import { diagnosisText } from '../../../text/devices/diagnosis.ts';
import { Mono } from '../../../ui/mono.tsx';
import { StateTag } from '../../../ui/state-tag.tsx';
import styles from './diagnosis.module.css';
import { lineGroups } from './diagnosis-lines.ts';

/** How each open connection between device and relay fares, and what would help. */
export function LineQuality({ diagnosis }: { diagnosis: Diagnosis }) {
  const { bbr } = diagnosis.lines;
  return (
    <>
      {lineGroups(diagnosis).map(({ title, rows, note }) => (
        <div key={title}>
          <h4>{`${diagnosisText.lines.title} · ${title}`}</h4>
          {rows.length === 0 && <p className={styles.hint}>{note}</p>}
          <ul className={styles.list}>
            {rows.map(({ name, tone, word, facts }) => (
              <li key={name} className={styles.row}>
                <StateTag tone={tone}>{word}</StateTag>
                <Mono>{name}</Mono>
                <span className={styles.detail}>{facts.join(' · ')}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {bbr?.ok === true && <p className={styles.hint}>{bbr.text}</p>}
      {bbr?.ok === false && (
        <Alert className={styles.advice ?? ''} type="warning" showIcon title={<bdi>{bbr.text}</bdi>} />
      )}
    </>
  );
}
