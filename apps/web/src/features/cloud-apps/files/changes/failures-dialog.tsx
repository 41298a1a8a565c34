import { Button } from 'antd';
import type { TreeResult } from '@tongtu/contract';
import { shownName } from '../../../../text/cloud-apps/files.ts';
import { changesText } from '../../../../text/cloud-apps/file-changes.ts';
import { sharedText } from '../../../../text/shared.ts';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { useFileNames } from '../use-file-names.ts';
import styles from './changes.module.css';

/** What a move, copy or delete could not do. */
export function FailuresDialog({ result, onClose }: { result: TreeResult; onClose: () => void }) {
  const names = useFileNames();
  const { done, failed_count: count, failed } = result;
  return (
    <Dialog
      title={changesText.failedTitle}
      onClose={onClose}
      footer={<Button onClick={onClose}>{sharedText.close}</Button>}
    >
      <p>{changesText.failedText(done, count)}</p>
      <ul className={styles.failures}>
        {failed.map(({ path, detail }) => (
          <li key={path}>
            <bdi>{shownName(names.pathTextOf(path))}</bdi>
            <span>{detail}</span>
          </li>
        ))}
        {count > failed.length && <li>{changesText.andMore(count - failed.length)}</li>}
      </ul>
    </Dialog>
  );
}
