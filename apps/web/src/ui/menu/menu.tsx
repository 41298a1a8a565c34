import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
} from 'react';
import { findByTypedText } from './find-by-typed-text.ts';
import styles from './menu.module.css';
import { useMenuPlace } from './use-menu-place.ts';

type MenuItem = {
  key: string;
  label: string;
  icon?: ReactNode;
  isDangerous?: boolean;
  isDisabled?: boolean;
  /** Given for the items of a choice: whether this one is chosen. */
  isChosen?: boolean;
  onSelect: () => void;
};

export type MenuEntry = MenuItem | 'divider';

type MenuProps = {
  id: string;
  entries: readonly MenuEntry[];
  label: string | undefined;
  focusedFirst: 'first' | 'last';
  button: RefObject<HTMLButtonElement | null>;
  onClose: (how: { returnsFocus: boolean }) => void;
};

/** Typed letters that follow each other this fast are one word. */
const typingPauseMs = 500;

/**
 * The open menu. It lies beside its button in the document, so that it belongs to the same landmark or dialog, and is
 * shown above everything else as a popover.
 */
export function Menu({ id, entries, label, focusedFirst, button, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', atMs: 0 });
  useMenuPlace(menu, button);

  const itemElements = () => [...(menu.current?.querySelectorAll<HTMLElement>('button') ?? [])];

  function focusItem(index: number) {
    const all = itemElements();
    all.at(index % all.length)?.focus({ preventScroll: true });
  }

  useEffect(() => {
    const all = [...(menu.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    all.at(focusedFirst === 'first' ? 0 : -1)?.focus({ preventScroll: true });
  }, [focusedFirst]);

  const closeUnlessInside = useEffectEvent((event: Event) => {
    const isInside = event.target instanceof Node && menu.current?.contains(event.target);
    const isOnButton = event.target instanceof Node && button.current?.contains(event.target);
    // Its button closes the menu by its own click.
    if (!isInside && !isOnButton) onClose({ returnsFocus: false });
  });
  useEffect(() => {
    const close = (event: Event) => closeUnlessInside(event);
    window.addEventListener('pointerdown', close, { capture: true });
    return () => window.removeEventListener('pointerdown', close, { capture: true });
  }, []);

  function focusTyped(letter: string, index: number) {
    const monotonicMs = performance.now();
    const isContinued = monotonicMs - typed.current.atMs < typingPauseMs;
    typed.current = { text: (isContinued ? typed.current.text : '') + letter, atMs: monotonicMs };
    const labels = entries.flatMap((entry) => (entry === 'divider' ? [] : [entry.label]));
    const found = findByTypedText(labels, typed.current.text, index);
    if (found !== undefined) focusItem(found);
  }

  function onKeyDown(event: KeyboardEvent) {
    const { key } = event;
    const index = itemElements().findIndex((element) => element === document.activeElement);
    // Tab moves on from the button.
    if (key === 'Tab') return onClose({ returnsFocus: true });
    const isLetter = key.length === 1 && key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
    const targets: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: -1,
    };
    const target = targets[key];
    if (target === undefined && !isLetter && key !== 'Escape') return;
    event.preventDefault();
    // A dialog around the menu must not act on the same key.
    event.stopPropagation();
    if (target !== undefined) focusItem(target);
    else if (key === 'Escape') onClose({ returnsFocus: true });
    else focusTyped(key, index);
  }

  function onBlur({ relatedTarget }: FocusEvent) {
    if (relatedTarget === null || menu.current?.contains(relatedTarget) || relatedTarget === button.current) return;
    onClose({ returnsFocus: false });
  }

  return (
    <div
      ref={menu}
      id={id}
      role="menu"
      tabIndex={-1}
      popover="manual"
      className={styles.menu}
      aria-label={label}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      {entries.map((entry, index) =>
        entry === 'divider' ? <hr key={index} /> : <Item key={entry.key} item={entry} onClose={onClose} />,
      )}
    </div>
  );
}

function Item({ item, onClose }: { item: MenuItem } & Pick<MenuProps, 'onClose'>) {
  const { label, icon, isDangerous, isDisabled, isChosen, onSelect } = item;
  const names = [styles.item, isDangerous && styles.dangerous, isChosen && styles.chosen];

  function select() {
    if (isDisabled) return;
    // The focus first: a dialog that opens next gives it back to where it was.
    onClose({ returnsFocus: true });
    onSelect();
  }
  return (
    <button
      type="button"
      role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={isChosen}
      aria-disabled={isDisabled}
      tabIndex={-1}
      className={names.filter((name) => typeof name === 'string').join(' ')}
      onClick={select}
    >
      {icon !== undefined && <span aria-hidden>{icon}</span>}
      {label}
    </button>
  );
}
