import { useMutation } from '@tanstack/react-query';
import { Alert, Button, Checkbox } from 'antd';
import type { DownloadDetails, DownloadFile, DownloadSettings } from '@tongtu/contract';
import { useState } from 'react';
import { errorText } from '../../../../api/index.ts';
import { bytesText } from '../../../../text/amounts.ts';
import { downloadsText } from '../../../../text/cloud-apps/downloads.ts';
import { shownName } from '../../../../text/cloud-apps/files.ts';
import { useToast } from '../../../../ui/use-toast.ts';
import { percentOf } from '../list/progress-bar.tsx';
import styles from './details.module.css';

type FileSelectionProps = {
  details: DownloadDetails;
  canSelect: boolean;
  onSave: (settings: Omit<DownloadSettings, 'id'>) => Promise<void>;
};

/** The files of a download. Those of a torrent can be chosen until it is complete. */
export function FileSelection({ details, canSelect, onSave }: FileSelectionProps) {
  const { files, file_count: count } = details;
  const isCut = count > files.length;
  const isChoice = canSelect && !isCut && count > 1;
  const toast = useToast();
  /** What the user wants, until the details say the same. Those that arrive next may be older than what was saved. */
  const [wanted, setWanted] = useState<ReadonlySet<number>>();
  if (wanted && files.every((file) => file.is_selected === wanted.has(file.number))) setWanted(undefined);
  const chosen = wanted ?? new Set(files.filter((file) => file.is_selected).map((file) => file.number));
  const { mutate, reset, error, isPending, isSuccess } = useMutation({
    mutationFn: async () => await onSave({ files: [...chosen].toSorted((a, b) => a - b) }),
    onSuccess: () => toast.success(downloadsText.saved),
  });
  function toggle({ number }: DownloadFile, isOn: boolean) {
    const next = new Set(chosen);
    if (isOn) next.add(number);
    else next.delete(number);
    reset();
    setWanted(next);
  }
  return (
    <section>
      <h3 className={styles.title}>{downloadsText.files(count)}</h3>
      {isCut && <p className={styles.note}>{downloadsText.filesCut(files.length)}</p>}
      <ul className={styles.files}>
        {files.map((file) => (
          <li key={file.number}>
            {isChoice ? (
              <Checkbox
                checked={chosen.has(file.number)}
                onChange={({ target }) => toggle(file, target.checked)}
                className={styles.file ?? ''}
              >
                <bdi>{shownName(file.path)}</bdi>
              </Checkbox>
            ) : (
              <bdi className={styles.file}>{shownName(file.path)}</bdi>
            )}
            <span className={styles.amount}>
              {bytesText(file.total_bytes)} {percentOf(file.completed_bytes, file.total_bytes)}%
            </span>
          </li>
        ))}
      </ul>
      {isChoice && wanted !== undefined && (
        <p className={styles.choose}>
          <Button type="primary" loading={isPending || isSuccess} disabled={chosen.size === 0} onClick={() => mutate()}>
            {downloadsText.chooseFiles}
          </Button>
          {chosen.size === 0 && <span className={styles.note}>{downloadsText.chooseOne}</span>}
        </p>
      )}
      {error && <Alert type="error" showIcon title={errorText(error)} />}
    </section>
  );
}
