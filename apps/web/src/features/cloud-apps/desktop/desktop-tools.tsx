import { EyeOutlined, FontSizeOutlined, MacCommandOutlined, SnippetsOutlined, ZoomInOutlined } from '@ant-design/icons';
import { Badge, Button } from 'antd';
import type { ReactNode } from 'react';
import { desktopText } from '../../../text/cloud-apps/desktop.ts';
import { MenuButton, type MenuEntry } from '../../../ui/menu/menu-button.tsx';
import { type KeyName, specialKeys } from './key-names.ts';
import type { Scaling } from './remote-desktop.ts';

type DesktopToolsProps = {
  scalings: readonly Scaling[];
  scaling: Scaling;
  isViewOnly: boolean;
  hasNewClipboard: boolean;
  onScaling: (scaling: Scaling) => void;
  onViewOnly: (isOn: boolean) => void;
  onKeyboard: () => void;
  onClipboard: () => void;
  onKeys: (names: readonly KeyName[]) => void;
};

/** The desktop's buttons in the bar. */
export function DesktopTools(props: DesktopToolsProps) {
  const { scalings, scaling, isViewOnly, hasNewClipboard } = props;
  const scalingEntries: MenuEntry[] = scalings.map((each) => ({
    key: each,
    label: desktopText.scalings[each],
    isChosen: each === scaling,
    onSelect: () => props.onScaling(each),
  }));
  const keyEntries: MenuEntry[] = specialKeys.map(({ word, names }) => ({
    key: word,
    label: word,
    isDisabled: isViewOnly,
    onSelect: () => props.onKeys(names),
  }));
  const look = (icon: ReactNode, word: string) =>
    ({ type: 'text', size: 'small', icon, 'aria-label': word, title: word }) as const;
  return (
    <>
      <Button {...look(<FontSizeOutlined />, desktopText.keyboard)} onClick={props.onKeyboard} />
      <MenuButton {...look(<MacCommandOutlined />, desktopText.specialKeys)} entries={keyEntries} />
      <Badge dot={hasNewClipboard}>
        <Button {...look(<SnippetsOutlined />, desktopText.clipboard)} onClick={props.onClipboard} />
      </Badge>
      <MenuButton {...look(<ZoomInOutlined />, desktopText.scaling)} entries={scalingEntries} />
      <Button
        {...look(<EyeOutlined />, desktopText.viewOnly)}
        {...(isViewOnly ? { type: 'primary' as const } : {})}
        aria-pressed={isViewOnly}
        onClick={() => props.onViewOnly(!isViewOnly)}
      />
    </>
  );
}
