import { DownloadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { keysText } from '../../../../text/shop/keys.ts';
import { dayText } from '../../../../text/time.ts';
import { downloadText } from '../../../../ui/copy/download-text.ts';
import { useMutationToast } from '../../../confirm/use-mutation-toast.ts';
import { useExportKeys } from '../use-keys.ts';
import { filterQuery, type KeyFilters } from './key-filters.ts';

/** Spreadsheets take a file for UTF-8 only with it, and reading a reply as text removes it. */
const byteOrderMark = '\uFEFF';

/** Saves the keys of the filters, not only those of the page. */
export function ExportButton({ filters }: { filters: KeyFilters }) {
  const exportKeys = useExportKeys();
  const toastOutcome = useMutationToast();
  async function save() {
    const csv = await exportKeys.mutateAsync(filterQuery(filters));
    downloadText(keysText.fileName(dayText(new Date().toISOString())), `${byteOrderMark}${csv}`, 'text/csv');
  }
  return (
    <Button
      icon={<DownloadOutlined aria-hidden />}
      loading={exportKeys.isPending}
      onClick={() => toastOutcome(save(), keysText.exported)}
    >
      {keysText.export}
    </Button>
  );
}
