import type { PointerEvent } from 'react';
import { terminalText } from '../../../text/cloud-apps/terminal.ts';
import styles from './terminal.module.css';
import type { CursorKey, Modifiers } from './touch-keys.ts';

type TouchBarProps = {
  modifiers: Modifiers;
  onModifiers: (modifiers: Modifiers) => void;
  onText: (text: string) => void;
  onCursor: (key: CursorKey) => void;
};

type BarKey = { word: string; label: string; onPress: () => void; isPressed?: boolean };

/** The keyboard of the phone stays open: the terminal keeps the focus. */
function keepFocus(event: PointerEvent): void {
  event.preventDefault();
}

/** Keys that the keyboards of phones lack. Shown where the pointer is a finger. */
export function TouchBar({ modifiers, onModifiers, onText, onCursor }: TouchBarProps) {
  const { keys } = terminalText;
  const toggle = (name: 'ctrl' | 'alt') => () => onModifiers({ ...modifiers, [name]: !modifiers[name] });
  const all: BarKey[] = [
    { word: 'Esc', label: keys.escape, onPress: () => onText('\u001B') },
    { word: 'Tab', label: keys.tab, onPress: () => onText('\t') },
    { word: 'Ctrl', label: keys.ctrl, onPress: toggle('ctrl'), isPressed: modifiers.ctrl },
    { word: 'Alt', label: keys.alt, onPress: toggle('alt'), isPressed: modifiers.alt },
    { word: '←', label: keys.left, onPress: () => onCursor('left') },
    { word: '↑', label: keys.up, onPress: () => onCursor('up') },
    { word: '↓', label: keys.down, onPress: () => onCursor('down') },
    { word: '→', label: keys.right, onPress: () => onCursor('right') },
    { word: '|', label: keys.pipe, onPress: () => onText('|') },
    { word: '/', label: keys.slash, onPress: () => onText('/') },
    { word: '-', label: keys.minus, onPress: () => onText('-') },
  ];
  return (
    <div className={styles.touchBar} role="toolbar" aria-label={terminalText.touchBar}>
      {all.map(({ word, label, onPress, isPressed }) => (
        <button
          key={word}
          type="button"
          className={styles.touchKey}
          aria-label={label}
          aria-pressed={isPressed}
          onPointerDown={keepFocus}
          onClick={onPress}
        >
          {word}
        </button>
      ))}
    </div>
  );
}
