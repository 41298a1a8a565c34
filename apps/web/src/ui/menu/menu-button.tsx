import { Button, type ButtonProps } from 'antd';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { Menu, type MenuEntry } from './menu.tsx';
import styles from './menu.module.css';

export type { MenuEntry } from './menu.tsx';

type MenuButtonProps = Omit<ButtonProps, 'onClick'> & {
  entries: readonly MenuEntry[];
  onOpenChange?: (isOpen: boolean) => void;
};

/** A button that opens a menu: the menu button pattern of the ARIA Authoring Practices Guide. */
export function MenuButton({ entries, onOpenChange, ...look }: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const menuId = useId();
  const [opened, setOpened] = useState<'first' | 'last'>();

  function show(where: 'first' | 'last' | undefined) {
    setOpened(where);
    onOpenChange?.(where !== undefined);
  }

  function close({ returnsFocus }: { returnsFocus: boolean }) {
    show(undefined);
    if (returnsFocus) button.current?.focus({ preventScroll: true });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    show(event.key === 'ArrowDown' ? 'first' : 'last');
  }

  return (
    <span className={styles.menuButton}>
      <Button
        {...look}
        ref={button}
        aria-haspopup="menu"
        aria-expanded={opened === undefined ? undefined : true}
        aria-controls={opened === undefined ? undefined : menuId}
        onClick={() => show(opened === undefined ? 'first' : undefined)}
        onKeyDown={onKeyDown}
      />
      {opened !== undefined && (
        <Menu
          id={menuId}
          entries={entries}
          label={look['aria-label']}
          focusedFirst={opened}
          button={button}
          onClose={close}
        />
      )}
    </span>
  );
}
