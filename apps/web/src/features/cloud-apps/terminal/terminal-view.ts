import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { type ITheme, Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { terminalText } from '../../../text/cloud-apps/terminal.ts';
import { BusyProgram } from './busy-program.ts';
import { readClipboardRequest } from './clipboard-request.ts';
import { readFontSize } from './font-size.ts';
import type { TerminalSize } from './terminal-connection.ts';
import { matchColors, terminalTheme } from './terminal-theme.ts';

const scrollbackLines = 5_000;
const leastColumns = 2;
/** WCAG AA, whatever colours a program chooses. */
const minimumContrastRatio = 4.5;
const fontFamily = "'SF Mono', 'JetBrains Mono', 'Cascadia Code', Consolas, 'Noto Sans Mono CJK SC', monospace";

/**
 * Sets back what a program that was cut off may have left: the second screen, mouse reports, bracketed paste, keys of
 * applications, a hidden cursor, colours.
 */
const forgetModes =
  '\u001B[?1047l\u001B[?1000l\u001B[?1002l\u001B[?1003l\u001B[?1006l\u001B[?2004l\u001B[!p\u001B[?25h\u001B[0m';

/**
 * Control characters but tab and line breaks. Copied from a page, they could press keys, or end a bracketed paste and so
 * run as a command.
 */
const unpastable = /(?![\t\n\r])\p{Cc}/gu;

export type ViewEvents = {
  onInput: (text: string) => void;
  /** Text without control characters but tabs and line breaks, which are those of the Enter key. */
  onPaste: (text: string) => void;
  /** Reports of the mouse in the old encoding, which is not UTF-8. */
  onBinaryInput: (bytes: Uint8Array<ArrayBuffer>) => void;
  onResize: (size: TerminalSize) => void;
  onLink: (address: string) => void;
  /** A program at the target wants to set the clipboard. */
  onClipboardRequest: (text: string) => void;
  onCopy: () => void;
  onSearch: () => void;
  onMatches: (matches: { index: number; count: number }) => void;
};

export type TerminalView = ReturnType<typeof createTerminalView>;

/** The emulator in a box of the page. Titles that the target sets are ignored. */
export function createTerminalView(box: HTMLElement, { isDark }: { isDark: boolean }, events: ViewEvents) {
  Terminal.strings.promptLabel = terminalText.input;
  Terminal.strings.tooMuchOutput = terminalText.tooMuchOutput;
  const terminal = new Terminal({
    allowProposedApi: true, // for Unicode 11 and the marks of a search
    cursorBlink: true,
    fontFamily,
    fontSize: readFontSize(),
    linkHandler: { activate: (_event, address) => events.onLink(address) },
    minimumContrastRatio,
    scrollback: scrollbackLines,
    theme: terminalTheme({ isDark }),
  });
  const fit = new FitAddon();
  const search = new SearchAddon();
  for (const addon of [
    fit,
    search,
    new Unicode11Addon(),
    new WebLinksAddon((_event, address) => events.onLink(address)),
  ]) {
    terminal.loadAddon(addon);
  }
  terminal.unicode.activeVersion = '11';
  terminal.parser.registerOscHandler(52, (data) => {
    const text = readClipboardRequest(data);
    if (text !== undefined) events.onClipboardRequest(text);
    return true;
  });
  const program = new BusyProgram(terminal);
  terminal.attachCustomKeyEventHandler((event) => handleKey(event, events));
  terminal.onData((text) => events.onInput(text));
  terminal.onBinary((text) => events.onBinaryInput(Uint8Array.from(text, (letter) => letter.charCodeAt(0))));
  terminal.onResize(() => events.onResize(sizeOf()));
  search.onDidChangeResults(({ resultIndex, resultCount }) =>
    events.onMatches({ index: resultIndex, count: resultCount }),
  );
  terminal.open(box);
  box.addEventListener('paste', takePaste, { capture: true });
  let colors = matchColors({ isDark });
  let searchedText: string | undefined;
  fitNow();

  function sizeOf(): TerminalSize {
    return { columns: Math.max(terminal.cols, leastColumns), rows: Math.max(terminal.rows, leastColumns) };
  }
  function paste(text: string): void {
    terminal.scrollToBottom();
    events.onPaste(text.replaceAll(/\r?\n/g, '\r').replace(unpastable, ''));
  }
  function takePaste(event: ClipboardEvent): void {
    event.preventDefault();
    event.stopImmediatePropagation(); // the emulator's own handler pastes control characters, too
    paste(event.clipboardData?.getData('text/plain') ?? '');
  }
  function fitNow(): void {
    if (box.clientWidth > 0 && box.clientHeight > 0) fit.fit();
  }
  function searchOptions() {
    return {
      decorations: {
        matchBackground: colors.match,
        activeMatchBackground: colors.active,
        activeMatchBorder: colors.border,
        matchOverviewRuler: colors.match,
        activeMatchColorOverviewRuler: colors.active,
      },
    };
  }

  /** Marks keep the colours that they were made with. The view stays where it is. */
  function markAgain(): void {
    if (searchedText === undefined) return;
    const topLine = terminal.buffer.active.viewportY;
    search.clearDecorations();
    search.findPrevious(searchedText, searchOptions());
    terminal.scrollToLine(topLine);
  }

  return {
    size: sizeOf,
    fit: fitNow,
    write: (output: Uint8Array | string, onDrawn: () => void) => terminal.write(output, onDrawn),
    /** Before the first output of another session. */
    /** Before the output that brings a shell's screen back, which was made for this size. */
    replayAt({ columns, rows }: TerminalSize) {
      terminal.reset();
      terminal.resize(columns, rows);
    },
    startAgain: (words: string) => terminal.write(`${forgetModes}\r\n\u001B[90m── ${words} ──\u001B[0m\r\n`),
    paste,
    program,
    focus: () => terminal.focus(),
    selection: () => terminal.getSelection(),
    selectAll: () => terminal.selectAll(),
    clear: () => terminal.clear(),
    /** The program distinguishes pasted text from typed text. */
    hasBracketedPaste: () => terminal.modes.bracketedPasteMode,
    /** Cursor keys have two encodings, of which programs choose one. */
    hasApplicationKeys: () => terminal.modes.applicationCursorKeysMode,
    setTheme(look: { isDark: boolean }) {
      colors = matchColors(look);
      terminal.options.theme = terminalTheme(look) satisfies ITheme;
      markAgain();
    },
    setFontSize(sizePx: number) {
      terminal.options.fontSize = sizePx;
      fitNow();
    },
    findNext(text: string) {
      searchedText = text;
      search.findNext(text, searchOptions());
    },
    /** The latest match first. Of another text, the match at the place of the last one. */
    findPrevious(text: string) {
      searchedText = text;
      search.findPrevious(text, searchOptions());
    },
    endSearch() {
      searchedText = undefined;
      search.clearDecorations();
    },
    dispose() {
      box.removeEventListener('paste', takePaste, { capture: true });
      terminal.dispose();
    },
  };
}

/** False for keys that are not the target's. The browser itself pastes, which needs no permission. */
function handleKey(event: KeyboardEvent, events: ViewEvents): boolean {
  const hasBoth = event.ctrlKey && event.shiftKey && !event.altKey && !event.metaKey;
  if (!hasBoth) return true;
  switch (event.code) {
    case 'KeyC':
      event.preventDefault();
      if (event.type === 'keydown') events.onCopy();
      return false;
    case 'KeyF':
      event.preventDefault();
      if (event.type === 'keydown') events.onSearch();
      return false;
    case 'KeyV':
      return false;
    default:
      return true;
  }
}
