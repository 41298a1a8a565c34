import type { Terminal } from '@xterm/xterm';

/** How shells and devices end their prompt: `root@nas:~# `, `Router>`, `switch(config)#`, `login: `. Not `45%`, a progress. */
const promptEnd = /(?:[$#>❯➜»λ]|(?<!\d)%)\s*$|(?:login|password|username|用户名|密码)\s*[::]\s*$/iu;
const enterKeys = /[\r\n]/u;

/**
 * Whether a program runs in the terminal, as far as the terminal can see: closing the page would end it. A shell with marks
 * of its own says it (OSC 133). Otherwise a program runs since the user pressed Enter, unless the cursor stands behind what
 * looks like a prompt, or a line editor waits for a paste (bracketed paste mode).
 */
export class BusyProgram {
  readonly #terminal: Terminal;
  #hasEntered = false;
  #isMarkedBusy: boolean | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    terminal.parser.registerOscHandler(133, (data) => {
      this.#isMarkedBusy = data.startsWith('C');
      return false;
    });
  }

  /** Another shell begins. */
  reset(): void {
    this.#hasEntered = false;
    this.#isMarkedBusy = undefined;
  }

  /** The user types, or pastes. */
  noticeInput(text: string): void {
    if (this.#isAtPrompt()) this.#hasEntered = false;
    if (enterKeys.test(text)) this.#hasEntered = true;
  }

  get isBusy(): boolean {
    // The second screen is that of an editor, a pager or a monitor.
    if (this.#terminal.buffer.active.type === 'alternate') return true;
    if (this.#isMarkedBusy !== undefined) return this.#isMarkedBusy;
    if (this.#terminal.modes.bracketedPasteMode) return false;
    return this.#hasEntered && !this.#isAtPrompt();
  }

  #isAtPrompt(): boolean {
    const { baseY, cursorY, cursorX } = this.#terminal.buffer.active;
    const line = this.#terminal.buffer.active.getLine(baseY + cursorY);
    return promptEnd.test(line?.translateToString(false, 0, cursorX) ?? '');
  }
}
