import { Button } from 'antd';
import type { AuditEntry } from '@tongtu/contract';
import { auditText } from '../../../text/management/audit.ts';
import { momentText } from '../../../text/moment-text.ts';
import { sharedText } from '../../../text/shared.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Mono } from '../../../ui/mono.tsx';
import styles from '../frame/frame.module.css';
import { actionText, factsOf } from './audit-facts.ts';

/** An entry with what it was before and after. */
export function AuditDialog({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const facts = factsOf(entry);
  const objects = [entry.object_name, entry.object_id === null ? '' : auditText.number(entry.object_id)];
  return (
    <Dialog
      title={actionText(entry.action)}
      footer={<Button onClick={onClose}>{sharedText.close}</Button>}
      onClose={onClose}
    >
      <dl className={styles.details}>
        <dt>{auditText.time}</dt>
        <dd>{momentText(entry.at)}</dd>
        <dt>{auditText.actor}</dt>
        <dd>{entry.actor === '' ? auditText.service : entry.actor}</dd>
        {entry.ip !== '' && (
          <>
            <dt>{auditText.ip}</dt>
            <dd>
              <Mono>{entry.ip}</Mono>
            </dd>
          </>
        )}
        <dt>{auditText.object}</dt>
        <dd>{objects.filter((text) => text !== '').join('，')}</dd>
      </dl>
      {facts.length === 0 ? (
        <p className={styles.hint}>{auditText.noFacts}</p>
      ) : (
        <table className={styles.changes}>
          <thead>
            <tr>
              <th scope="col">{auditText.field}</th>
              <th scope="col">{auditText.before}</th>
              <th scope="col">{auditText.after}</th>
            </tr>
          </thead>
          <tbody>
            {facts.map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td>{before}</td>
                <td>{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}
