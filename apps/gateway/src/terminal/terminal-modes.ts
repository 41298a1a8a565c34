/** Private modes of a terminal (DECSET) that change what it shows or sends: the second screen, keys, mouse, pastes. */
const KNOWN_MODES = new Set([1, 7, 25, 47, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1047, 1049, 2004]);
const SECOND_SCREEN = [47, 1047, 1049];
/** As they are in a terminal that begins. */
const SET_AT_FIRST = new Set([7, 25]);
// oxlint-disable-next-line no-control-regex -- the escape sequences of terminals begin with it
const SEQUENCE = /\x1b(?:\[\?([\d;]{1,60})([hl])|c|\[!p)/g;
/** An escape sequence may be in two pieces. */
const MAX_SEQUENCE_LENGTH = 64;

/** Which modes the output of a program has set, so far as it was noted. */
export class TerminalModes {
  readonly #changed = new Map<number, boolean>();
  #rest = '';

  copy(): TerminalModes {
    const copy = new TerminalModes();
    for (const [mode, isSet] of this.#changed) copy.#changed.set(mode, isSet);
    copy.#rest = this.#rest;
    return copy;
  }

  note(output: Buffer): void {
    const text = this.#rest + output.toString('latin1');
    let end = 0;
    for (const match of text.matchAll(SEQUENCE)) {
      end = match.index + match[0].length;
      const [, modes, action] = match;
      if (modes === undefined) this.#changed.clear();
      else for (const mode of modes.split(';')) this.#set(Number(mode), action === 'h');
    }
    const escape = text.lastIndexOf('\x1b');
    this.#rest = escape >= end ? text.slice(escape, escape + MAX_SEQUENCE_LENGTH) : '';
  }

  get isOnSecondScreen(): boolean {
    return SECOND_SCREEN.some((mode) => this.#changed.get(mode) === true);
  }

  /** What sets a new terminal to the same. */
  sequences(): string {
    return [...this.#changed].map(([mode, isSet]) => `\x1b[?${mode}${isSet ? 'h' : 'l'}`).join('');
  }

  #set(mode: number, isSet: boolean): void {
    if (!KNOWN_MODES.has(mode)) return;
    this.#changed.delete(mode); // the order counts
    if (isSet !== SET_AT_FIRST.has(mode)) this.#changed.set(mode, isSet);
  }
}
