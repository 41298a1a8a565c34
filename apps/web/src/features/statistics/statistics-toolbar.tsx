import { DownloadOutlined } from '@ant-design/icons';
import { Button, Segmented, Select } from 'antd';
import type { Device } from '@tongtu/contract';
import { dayText } from '../../text/time.ts';
import { statisticsText } from '../../text/statistics.ts';
import { downloadText } from '../../ui/copy/download-text.ts';
import { clearable } from '../../ui/fields/field-icons.tsx';
import { useMutationToast } from '../confirm/use-mutation-toast.ts';
import { defaultPoints, rangesOf, type StatisticsView, units, type ViewUnit } from './statistics-view.ts';
import styles from './statistics.module.css';
import { mappingNames } from './top-lists.tsx';
import { type Period, useExportStatistics } from './use-statistics.ts';

/** Spreadsheets take a file for UTF-8 only with it, and reading a reply as text removes it. */
const byteOrderMark = '\uFEFF';

const unitOptions = units.map((value) => ({ value, label: statisticsText.units[value] }));
const clearChoice = { ...clearable(), label: statisticsText.clearChoice };
/** The list is wider than its field, so that the ends of similar names are visible. */
const popup = { popupMatchSelectWidth: false, classNames: { popup: { root: styles.popup ?? '' } } } as const;

type Option = { value: number; label: string };

/** The address may name something that does not exist: it is shown by a word, not by its number. */
function withChosen(options: Option[], chosen: number | undefined, word: string): Option[] {
  const isKnown = chosen === undefined || options.some(({ value }) => value === chosen);
  return isKnown ? options : [...options, { value: chosen, label: word }];
}

type StatisticsToolbarProps = {
  view: StatisticsView;
  /** Undefined until loaded. */
  devices: readonly Device[] | undefined;
  onChange: (changes: Partial<StatisticsView>) => void;
};

export function StatisticsToolbar({ view, devices, onChange }: StatisticsToolbarProps) {
  const { unit, points, until, router, mapping } = view;
  const isLoading = devices === undefined;
  const ofDevice = (devices ?? []).filter(({ id }) => router === undefined || id === router);
  const deviceOptions = (devices ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const mappingOptions = [...mappingNames(ofDevice)].map(([value, { name }]) => ({ value, label: name }));
  const wordFor = (word: string) => (isLoading ? '…' : word);
  const select = {
    ...popup,
    allowClear: clearChoice,
    className: styles.select ?? '',
    loading: isLoading,
    showSearch: { optionFilterProp: 'label' },
  } as const;
  return (
    <div className={styles.toolbar} role="search" aria-label={statisticsText.title}>
      <Segmented
        aria-label={statisticsText.unitLabel}
        options={unitOptions}
        value={unit}
        onChange={(next: ViewUnit) => onChange({ unit: next, points: defaultPoints(next), until: undefined })}
      />
      {unit !== 'live' && (
        <Select
          className={styles.range ?? ''}
          options={rangesOf(unit)}
          value={points}
          aria-label={statisticsText.rangeLabel}
          onChange={(next: number) => onChange({ points: next })}
        />
      )}
      <Select
        {...select}
        options={withChosen(deviceOptions, router, wordFor(statisticsText.unknownDevice))}
        value={router ?? null}
        placeholder={statisticsText.everyDevice}
        aria-label={statisticsText.deviceLabel}
        onChange={(next: number | null | undefined) => onChange({ router: next ?? undefined, mapping: undefined })}
      />
      <Select
        {...select}
        options={withChosen(mappingOptions, mapping, wordFor(statisticsText.unknownMapping))}
        value={mapping ?? null}
        placeholder={statisticsText.everyMapping}
        aria-label={statisticsText.mappingLabel}
        onChange={(next: number | null | undefined) => onChange({ mapping: next ?? undefined })}
      />
      {unit !== 'live' && <ExportButton period={{ unit, points, until, router, mapping }} />}
    </div>
  );
}

function ExportButton({ period }: { period: Period }) {
  const exportStatistics = useExportStatistics();
  const toastOutcome = useMutationToast();
  async function save() {
    const csv = await exportStatistics.mutateAsync(period);
    const name = statisticsText.fileName(period.unit, dayText(new Date().toISOString()));
    downloadText(name, `${byteOrderMark}${csv}`, 'text/csv');
  }
  return (
    <Button
      icon={<DownloadOutlined aria-hidden />}
      loading={exportStatistics.isPending}
      onClick={() => toastOutcome(save(), statisticsText.exported)}
    >
      {statisticsText.export}
    </Button>
  );
}
