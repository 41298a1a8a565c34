import { MoreOutlined } from '@ant-design/icons';
import { Checkbox, Tag } from 'antd';
import type { FileEntry } from '@tongtu/contract';
import { memo, type MouseEvent } from 'react';
import { bytesText } from '../../../../text/amounts.ts';
import { filesText, shownName } from '../../../../text/cloud-apps/files.ts';
import { momentText } from '../../../../text/moment-text.ts';
import { MenuButton, type MenuEntry } from '../../../../ui/menu/menu-button.tsx';
import styles from './entries.module.css';
import type { EntryActions } from './entry-actions.ts';
import type { ListedEntry } from '../listed-entry.ts';
import { EntryIcon } from './entry-icon.tsx';
import type { SelectionChange } from './selection.ts';
import { isFile, isFolder, isUsable, textOf } from './shown-entries.ts';

type EntryRowProps = {
  id: string;
  rowIndex: number;
  top: number;
  height: number;
  entry: ListedEntry;
  isSelected: boolean;
  isCurrent: boolean;
  select: (change: SelectionChange) => void;
  actions: EntryActions;
};

/** The buttons inside are for the pointer: the keyboard acts on the row, and by the buttons above the list. */
export const EntryRow = memo(function Row(props: EntryRowProps) {
  const { id, rowIndex, top, height, entry, isSelected, isCurrent, select, actions } = props;
  const { name } = entry;
  const canBeUsed = isUsable(entry);
  const size = isFolder(entry) || entry.size === null ? '' : bytesText(entry.size);
  const modified = entry.modified_at === null ? '' : momentText(entry.modified_at);
  const text = shownName(textOf(entry));
  const shown = entry.mark === undefined ? text : filesText.marked(text, entry.mark);

  function click(event: MouseEvent) {
    if (!canBeUsed || isOnControl(event)) return;
    if (event.shiftKey) select({ type: 'range', name });
    else select({ type: event.ctrlKey || event.metaKey ? 'toggle' : 'only', name });
  }

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid around it has the keys
    <div
      role="row"
      id={id}
      aria-rowindex={rowIndex}
      aria-selected={canBeUsed ? isSelected : undefined}
      className={`${styles.row} ${isSelected ? styles.selected : ''} ${isCurrent ? styles.current : ''}`}
      style={{ top, height }}
      onClick={click}
      onDoubleClick={(event) => canBeUsed && !isOnControl(event) && actions.open(entry)}
    >
      <span role="gridcell" className={styles.check}>
        {canBeUsed && (
          <Checkbox
            tabIndex={-1}
            aria-label={filesText.select(shown)}
            checked={isSelected}
            onChange={() => select({ type: 'toggle', name })}
          />
        )}
      </span>
      <span role="gridcell" className={styles.name}>
        <EntryIcon entry={entry} />
        <span className={styles.words}>
          {canBeUsed ? (
            <button
              type="button"
              tabIndex={-1}
              className={styles.open}
              title={shown}
              onClick={() => actions.open(entry)}
            >
              <bdi>{text}</bdi>
            </button>
          ) : (
            <span className={styles.unusable} title={filesText.unusableHint}>
              <bdi>{shown}</bdi>
              <Tag className={styles.tag ?? ''}>{filesText.unusable}</Tag>
            </span>
          )}
          {/* On phones in place of the columns. */}
          <small className={styles.facts}>{[size, modified].filter((fact) => fact !== '').join(' · ')}</small>
        </span>
        {entry.mark !== undefined && <Tag className={styles.tag ?? ''}>{entry.mark}</Tag>}
        {entry.type === 'link' && <Tag className={styles.tag ?? ''}>{filesText.link}</Tag>}
      </span>
      <span role="gridcell" className={styles.size}>
        {size}
      </span>
      <span role="gridcell" className={styles.modified}>
        {modified}
      </span>
      <span role="gridcell" className={styles.menu}>
        {canBeUsed && (
          <MenuButton
            type="text"
            size="small"
            tabIndex={-1}
            icon={<MoreOutlined />}
            aria-label={filesText.more(shown)}
            entries={menuOf(entry, actions)}
          />
        )}
      </span>
    </div>
  );
});

function isOnControl({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('button, input, label, [role=menu]') !== null;
}

function menuOf(entry: FileEntry, actions: EntryActions): MenuEntry[] {
  const canBeRead = isFile(entry) || isFolder(entry);
  return [
    ...(canBeRead ? [{ key: 'open', label: filesText.open, onSelect: () => actions.open(entry) }] : []),
    ...(canBeRead ? [{ key: 'download', label: filesText.download, onSelect: () => actions.download([entry]) }] : []),
    { key: 'rename', label: filesText.rename, onSelect: () => actions.rename(entry) },
    { key: 'move', label: filesText.move, onSelect: () => actions.move([entry]) },
    { key: 'copy', label: filesText.copy, onSelect: () => actions.copy([entry]) },
    'divider',
    { key: 'remove', label: filesText.remove, isDangerous: true, onSelect: () => actions.remove([entry]) },
  ];
}
