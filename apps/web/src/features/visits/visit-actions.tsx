import { DownloadOutlined, MoreOutlined } from '@ant-design/icons';
import { Button, Select, Switch } from 'antd';
import type { VisitList } from '@tongtu/contract';
import { dayText } from '../../text/time.ts';
import { visitsText } from '../../text/visits.ts';
import { downloadText } from '../../ui/copy/download-text.ts';
import { MenuButton } from '../../ui/menu/menu-button.tsx';
import { useConfirm } from '../../ui/use-confirm.ts';
import { useMutationToast } from '../confirm/use-mutation-toast.ts';
import { useClearVisits, useExportVisits, useSetVisitLog } from './use-visits.ts';
import type { VisitFilters } from './visit-filters.ts';
import styles from './visits.module.css';

/** Spreadsheets take a file for UTF-8 only with it, and reading a reply as text removes it. */
const byteOrderMark = '\uFEFF';
const dayOptions = ([1, 7, 30] as const).map((value) => ({ value, label: visitsText.days(value) }));

type VisitActionsProps = {
  list: VisitList;
  filters: VisitFilters;
  isLive: boolean;
  onLive: (isLive: boolean) => void;
};

export function VisitActions({ list, filters, isLive, onLive }: VisitActionsProps) {
  const { id } = list.mapping;
  const confirm = useConfirm();
  const toastOutcome = useMutationToast();
  const setLog = useSetVisitLog(id);
  const clear = useClearVisits(id);
  const exportVisits = useExportVisits(id);

  async function save() {
    const csv = await exportVisits.mutateAsync(filters);
    const name = visitsText.fileName(list.mapping.domain, dayText(new Date().toISOString()));
    downloadText(name, `${byteOrderMark}${csv}`, 'text/csv');
  }
  function keep(days: 1 | 7 | 30) {
    toastOutcome(setLog.mutateAsync(days), visitsText.kept(days));
  }
  const confirmClear = () =>
    confirm({
      title: visitsText.clearTitle,
      text: visitsText.clearText,
      confirm: visitsText.clear,
      onConfirm: () => toastOutcome(clear.mutateAsync(undefined), visitsText.cleared),
    });
  const confirmOff = () =>
    confirm({
      title: visitsText.turnOffTitle,
      text: visitsText.turnOffText,
      confirm: visitsText.turnOff,
      onConfirm: () =>
        toastOutcome(
          setLog.mutateAsync(0).then(() => clear.mutateAsync(undefined)),
          visitsText.turnedOff,
        ),
    });

  return (
    <div className={styles.actions}>
      <label className={styles.live}>
        <Switch size="small" checked={isLive} onChange={onLive} aria-label={visitsText.liveLabel} />
        {isLive ? visitsText.live : visitsText.paused}
      </label>
      <Select
        className={styles.days ?? ''}
        options={dayOptions}
        value={setLog.isPending ? setLog.variables : list.visit_log_days}
        loading={setLog.isPending}
        disabled={setLog.isPending}
        aria-label={visitsText.keep}
        onChange={(days: number) => keep(dayOptions.find(({ value }) => value === days)?.value ?? 7)}
      />
      <Button
        icon={<DownloadOutlined aria-hidden />}
        loading={exportVisits.isPending}
        onClick={() => toastOutcome(save(), visitsText.exported)}
      >
        {visitsText.export}
      </Button>
      <MenuButton
        type="text"
        icon={<MoreOutlined />}
        loading={clear.isPending}
        aria-label={visitsText.more}
        entries={[
          { key: 'clear', label: visitsText.clear, isDangerous: true, onSelect: confirmClear },
          { key: 'off', label: visitsText.turnOff, isDangerous: true, onSelect: confirmOff },
        ]}
      />
    </div>
  );
}
