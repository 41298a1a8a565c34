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
import { appFormText } from '../../../text/cloud-apps/app-form.ts';
import { terminalText } from '../../../text/cloud-apps/terminal.ts';
import { MenuButton, type MenuEntry } from '../../../ui/menu/menu-button.tsx';
import { readFontSize, storeFontSize } from './font-size.ts';
import type { TerminalEncodingName } from './terminal-encoding.ts';
import type { TerminalView } from './terminal-view.ts';

const encodingNames = ['utf-8', 'gbk', 'big5'] as const;

type TerminalToolsProps = {
  view: RefObject<TerminalView | undefined>;
  encoding: TerminalEncodingName;
  onEncoding: (name: TerminalEncodingName) => void;
  onFresh: (() => void) | undefined;
  onSearch: () => void;
  onCopy: () => void;
  onPaste: () => void;
};

/** The terminal's buttons in the bar. */
export function TerminalTools({ view, encoding, onEncoding, onFresh, onSearch, onCopy, onPaste }: TerminalToolsProps) {
  const changeSize = (byPx: number) => () => view.current?.setFontSize(storeFontSize(readFontSize() + byPx));
  const entries: MenuEntry[] = [
    { key: 'copy', icon: <CopyOutlined />, label: terminalText.copy, onSelect: onCopy },
    { key: 'paste', icon: <SnippetsOutlined />, label: terminalText.paste, onSelect: onPaste },
    { key: 'all', label: terminalText.selectAll, onSelect: () => view.current?.selectAll() },
    'divider',
    { key: 'clear', label: terminalText.clear, onSelect: () => view.current?.clear() },
    'divider',
    ...(onFresh ? [{ key: 'fresh', label: terminalText.fresh, onSelect: onFresh }, 'divider' as const] : []),
    ...encodingNames.map((name) => ({
      key: name,
      label: terminalText.encoding(appFormText.encodings[name]),
      isChosen: name === encoding,
      onSelect: () => onEncoding(name),
    })),
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
