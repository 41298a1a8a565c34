import { Alert } from 'antd';
import type { MappingImportResult } from '@tongtu/contract';
import { errorText, fieldErrors } from '../../../api/index.ts';
import { mappingFileText } from '../../../text/devices/mapping-file.ts';
import { isCancelled } from '../../confirm/is-cancelled.ts';
import styles from './mapping-file.module.css';

/** More lines are counted, not listed. */
const maxListed = 50;

/** How many mappings the import touches. */
export function changeCount({ added, changed, deleted }: MappingImportResult): number {
  return added.length + changed.length + deleted.length;
}

/** What an import will add, change, delete and keep. */
export function ImportPlan({ plan }: { plan: MappingImportResult }) {
  if (changeCount(plan) === 0) return <Alert type="success" showIcon title={mappingFileText.nothing} />;
  const { groups } = mappingFileText;
  const changed = plan.changed.map(({ address, fields }) =>
    mappingFileText.changedFields(address, fields.map((name) => mappingFileText.fields[name] ?? name).join('、')),
  );
  return (
    <div className={styles.plan}>
      <h3>{mappingFileText.planTitle}</h3>
      <Group title={groups.added} lines={plan.added} />
      <Group title={groups.changed} lines={changed} />
      <Group title={groups.deleted} lines={plan.deleted} isDangerous />
      <Group title={groups.kept} lines={plan.kept} />
      {plan.unchanged > 0 && <p>{mappingFileText.unchanged(plan.unchanged)}</p>}
    </div>
  );
}

type GroupProps = { title: string; lines: readonly string[]; isDangerous?: boolean };

function Group({ title, lines, isDangerous = false }: GroupProps) {
  if (lines.length === 0) return null;
  return (
    <div className={`${styles.group} ${isDangerous ? styles.deleted : ''}`}>
      <strong>{`${title} ${lines.length}`}</strong>
      <ul>
        {lines.slice(0, maxListed).map((line) => (
          <li key={line}>{line}</li>
        ))}
        {lines.length > maxListed && <li>{mappingFileText.more(lines.length - maxListed)}</li>}
      </ul>
    </div>
  );
}

/** Why a file was refused, each message with its line. */
export function ImportFailure({ error }: { error: Error }) {
  if (isCancelled(error)) return null;
  const { yaml: lines = [] } = fieldErrors(error);
  return (
    <Alert
      type="error"
      showIcon
      title={errorText(error)}
      description={
        lines.length > 0 && (
          <ul className={styles.errors}>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )
      }
    />
  );
}
