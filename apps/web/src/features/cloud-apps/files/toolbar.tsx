import {
  CloseOutlined,
  CopyOutlined,
  DeleteOutlined,
  DownloadOutlined,
  EditOutlined,
  ExportOutlined,
  SearchOutlined,
} from '@ant-design/icons';
import { Button, type ButtonProps, Input } from 'antd';
import type { FileEntry } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { filesText } from '../../../text/cloud-apps/files.ts';
import type { EntryActions } from './entries/entry-actions.ts';
import type { useEntries } from './entries/use-entries.ts';
import styles from './files.module.css';

type ToolbarProps = {
  entries: ReturnType<typeof useEntries>;
  selected: readonly FileEntry[];
  actions: EntryActions;
  /** What can be done with the folder itself. */
  children: ReactNode;
};

/** Above the list: what can be done with the folder, or with what is selected in it. */
export function Toolbar({ entries, selected, actions, children }: ToolbarProps) {
  return (
    <div className={`${styles.toolbar} ${selected.length > 0 ? styles.selecting : ''}`}>
      <div className={styles.buttons} role="toolbar" aria-label={filesText.toolbar}>
        {selected.length === 0 ? (
          children
        ) : (
          <SelectionButtons selected={selected} actions={actions} onUnselect={() => entries.select({ type: 'none' })} />
        )}
      </div>
      <Input
        className={styles.filter ?? ''}
        size="small"
        allowClear
        prefix={<SearchOutlined aria-hidden />}
        placeholder={filesText.filter}
        aria-label={filesText.filter}
        value={entries.filter}
        onChange={(event) => entries.setFilter(event.target.value)}
      />
    </div>
  );
}

type SelectionButtonsProps = Pick<ToolbarProps, 'selected' | 'actions'> & { onUnselect: () => void };

function SelectionButtons({ selected, actions, onUnselect }: SelectionButtonsProps) {
  const [first] = selected;
  const bytes = selected.reduce((sum, { type, size }) => sum + (type === 'file' ? (size ?? 0) : 0), 0);
  return (
    <>
      <Button
        type="text"
        size="small"
        icon={<CloseOutlined />}
        onClick={onUnselect}
        aria-label={filesText.unselect}
        title={filesText.unselect}
      />
      <span className={styles.selectedCount} role="status">
        {filesText.selected(selected.length, bytes)}
      </span>
      <Tool label={filesText.download} icon={<DownloadOutlined />} onClick={() => actions.download(selected)} />
      {first && selected.length === 1 && (
        <Tool label={filesText.rename} icon={<EditOutlined />} onClick={() => actions.rename(first)} />
      )}
      <Tool label={filesText.move} icon={<ExportOutlined />} onClick={() => actions.move(selected)} />
      <Tool label={filesText.copy} icon={<CopyOutlined />} onClick={() => actions.copy(selected)} />
      <Tool label={filesText.remove} icon={<DeleteOutlined />} danger onClick={() => actions.remove(selected)} />
    </>
  );
}

type ToolProps = Pick<ButtonProps, 'icon' | 'danger' | 'onClick'> & { label: string };

/** On phones it is its icon. */
export function Tool({ label, ...button }: ToolProps) {
  return (
    <Button {...button} size="small" aria-label={label} title={label}>
      <span className={styles.word}>{label}</span>
    </Button>
  );
}
