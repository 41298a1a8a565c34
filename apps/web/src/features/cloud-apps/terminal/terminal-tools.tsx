import {
  CopyOutlined,
  MoreOutlined,
  SearchOutlined,
  SnippetsOutlined,
  ZoomInOutlined,
  ZoomOutOutlined,
} from '@ant-design/icons';
import { Button } from 'antd';
import type { ReactNode, RefObject } from 'react';
import { terminalText } from '../../../text/cloud-apps/terminal.ts';
import { MenuButton, type MenuEntry } from '../../../ui/menu/menu-button.tsx';
import { readFontSize, storeFontSize } from './font-size.ts';
import type { TerminalView } from './terminal-view.ts';

type TerminalToolsProps = {
  view: RefObject<TerminalView | undefined>;
  onSearch: () => void;
  onCopy: () => void;
  onPaste: () => void;
};

/** The terminal's buttons in the bar. */
export function TerminalTools({ view, onSearch, onCopy, onPaste }: TerminalToolsProps) {
  const changeSize = (byPx: number) => () => view.current?.setFontSize(storeFontSize(readFontSize() + byPx));
  const entries: MenuEntry[] = [
    { key: 'copy', icon: <CopyOutlined />, label: terminalText.copy, onSelect: onCopy },
    { key: 'paste', icon: <SnippetsOutlined />, label: terminalText.paste, onSelect: onPaste },
    { key: 'all', label: terminalText.selectAll, onSelect: () => view.current?.selectAll() },
    'divider',
    { key: 'clear', label: terminalText.clear, onSelect: () => view.current?.clear() },
  ];
  return (
    <>
      <Tool icon={<SearchOutlined />} word={terminalText.search} onClick={onSearch} />
      <Tool icon={<ZoomOutOutlined />} word={terminalText.smaller} onClick={changeSize(-1)} />
      <Tool icon={<ZoomInOutlined />} word={terminalText.larger} onClick={changeSize(1)} />
      <MenuButton
        type="text"
        size="small"
        entries={entries}
        icon={<MoreOutlined />}
        aria-label={terminalText.more}
        title={terminalText.more}
      />
    </>
  );
}

function Tool({ icon, word, onClick }: { icon: ReactNode; word: string; onClick: () => void }) {
  return <Button type="text" size="small" icon={icon} aria-label={word} title={word} onClick={onClick} />;
}
