import { CloseOutlined, DownOutlined, UpOutlined } from '@ant-design/icons';
import { Button, Input } from 'antd';
import { type KeyboardEvent, useState } from 'react';
import { terminalText } from '../../../text/cloud-apps/terminal.ts';
import styles from './terminal.module.css';

type SearchBarProps = {
  matches: { index: number; count: number } | undefined;
  onFind: (text: string, how: 'next' | 'previous') => void;
  onClose: () => void;
};

function matchesText(text: string, matches: SearchBarProps['matches']): string {
  if (text === '' || matches === undefined) return '';
  if (matches.count === 0) return terminalText.noMatch;
  // The index is -1 while there are more matches than are marked.
  return terminalText.matches(Math.max(matches.index + 1, 1), matches.count);
}

/** Searches the output, the latest match first. */
export function SearchBar({ matches, onFind, onClose }: SearchBarProps) {
  const [text, setText] = useState('');

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter') onFind(text, event.shiftKey ? 'next' : 'previous');
  }
  return (
    <div className={styles.search} role="search" aria-label={terminalText.searchLabel}>
      <Input
        size="small"
        autoFocus
        value={text}
        aria-label={terminalText.searchLabel}
        placeholder={terminalText.searchPlaceholder}
        onChange={(event) => {
          setText(event.target.value);
          onFind(event.target.value, 'previous');
        }}
        onKeyDown={onKeyDown}
      />
      <span className={styles.matches} aria-live="polite">
        {matchesText(text, matches)}
      </span>
      <Button
        size="small"
        type="text"
        icon={<UpOutlined />}
        aria-label={terminalText.previous}
        title={terminalText.previous}
        onClick={() => onFind(text, 'previous')}
      />
      <Button
        size="small"
        type="text"
        icon={<DownOutlined />}
        aria-label={terminalText.next}
        title={terminalText.next}
        onClick={() => onFind(text, 'next')}
      />
      <Button
        size="small"
        type="text"
        icon={<CloseOutlined />}
        aria-label={terminalText.closeSearch}
        title={terminalText.closeSearch}
        onClick={onClose}
      />
    </div>
  );
}
