import type { RefObject } from 'react';
import { terminalText } from '../../../text/cloud-apps/terminal.ts';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { plainName } from '../../../text/devices/names.ts';
import styles from './terminal.module.css';
import type { TerminalView } from './terminal-view.ts';

/** As Windows Terminal. */
const asksAboveCharacters = 5_000;
const shownCharacters = 160;
/** What a terminal of Linux keeps of a line that no program reads key by key. */
const longestLineBytes = 4_095;

/** Pastes at once, or asks before where the text is long: to the target it is typed, and cannot be taken back. */
export function usePaste(view: RefObject<TerminalView | undefined>, send: (text: string) => void) {
  const confirm = useConfirm();
  return (text: string): void => {
    if (text.length <= asksAboveCharacters) return send(text);
    const lines = text.split('\r');
    const isBracketed = view.current?.hasBracketedPaste() ?? false;
    const encoder = new TextEncoder();
    const hasLongLine = lines.some((line) => encoder.encode(line).length > longestLineBytes);
    confirm({
      title: terminalText.longPasteTitle,
      text: (
        <>
          {terminalText.longPaste(encoder.encode(text).length, lines.length)}
          <span className={styles.clip}>{plainName(text.slice(0, shownCharacters).replaceAll('\r', '\n'))}…</span>
          {!isBracketed && lines.length > 1 && <p>{terminalText.linesRun}</p>}
          {!isBracketed && hasLongLine && <p>{terminalText.longLines}</p>}
        </>
      ),
      confirm: terminalText.paste,
      canBeUndone: true,
      onConfirm: () => send(text),
    });
  };
}
