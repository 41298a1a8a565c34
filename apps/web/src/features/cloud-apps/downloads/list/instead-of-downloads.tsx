import { Button, Spin } from 'antd';
import { downloadsText } from '../../../../text/cloud-apps/downloads.ts';
import styles from '../downloads.module.css';
import type { DownloadGroup } from './shown-downloads.ts';

type InsteadOfDownloadsProps = {
  isLoading: boolean;
  /** There is none at all. */
  isEmpty: boolean;
  group: DownloadGroup;
  isFiltered: boolean;
  onAdd: () => void;
  onClearFilter: () => void;
};

/** Why no downloads are listed. */
export function InsteadOfDownloads(props: InsteadOfDownloadsProps) {
  const { isLoading, isEmpty, group, isFiltered, onAdd, onClearFilter } = props;
  if (isLoading) {
    return (
      <div className={styles.hint} role="status">
        <Spin size="small" /> {downloadsText.loading}
      </div>
    );
  }
  if (isEmpty) {
    return (
      <div className={styles.hint}>
        <p>
          <strong>{downloadsText.empty}</strong>
        </p>
        <p>{downloadsText.emptyHint}</p>
        <Button onClick={onAdd}>{downloadsText.add}</Button>
      </div>
    );
  }
  if (!isFiltered) return <div className={styles.hint}>{downloadsText.emptyGroup[group]}</div>;
  return (
    <div className={styles.hint}>
      <p>{downloadsText.noMatch}</p>
      <Button size="small" onClick={onClearFilter}>
        {downloadsText.clearFilter}
      </Button>
    </div>
  );
}
