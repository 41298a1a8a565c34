import type { Ending } from './steps.ts';

const WAIT_MS = 15_000;
const NOW = '{now}';
const HTTP_DATE = /^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;
const HTTP_DATE_LENGTH = 29;

/** The bytes that one side has received and the test has not taken yet, in latin1. */
export class ReceivedText {
  #unread = '';
  #ending: Ending | undefined;
  #onChange: () => void = () => {};

  get unread(): string {
    return this.#unread;
  }

  get ending(): Ending | undefined {
    return this.#ending;
  }

  add(text: string): void {
    this.#unread += text;
    this.#onChange();
  }

  /** Only the first ending counts. */
  finish(ending: Ending): void {
    this.#ending ??= ending;
    this.#onChange();
  }

  /** Takes the expected text, or what there is once it differs. Returns both to compare. */
  async take(expected: string): Promise<{ actual: string; expected: string }> {
    await this.#until(() => this.#unread.length >= lengthOf(expected) || !isBeginning(this.#unread, expected));
    const actual = this.#unread.slice(0, lengthOf(expected));
    this.#unread = this.#unread.slice(actual.length);
    return { actual, expected: dated(expected, actual) };
  }

  /** Takes what matches at the beginning; undefined when the connection ended or the time limit passed first. */
  async takeMatch(pattern: RegExp): Promise<RegExpExecArray | undefined> {
    await this.#until(() => pattern.test(this.#unread));
    const match = pattern.exec(this.#unread) ?? undefined;
    if (match !== undefined) this.#unread = this.#unread.slice(match.index + match[0].length);
    return match;
  }

  /** Resolves with how the connection ended; undefined when it did not. */
  async untilEnding(): Promise<Ending | undefined> {
    await this.#until(() => this.#ending !== undefined);
    return this.#ending;
  }

  async #until(isReached: () => boolean): Promise<void> {
    let isOverdue = false;
    const timer = setTimeout(() => {
      isOverdue = true;
      this.#onChange();
    }, WAIT_MS);
    while (!isReached() && this.#ending === undefined && !isOverdue)
      await new Promise<void>((resolve) => (this.#onChange = resolve));
    clearTimeout(timer);
  }
}

function lengthOf(expected: string): number {
  const dates = expected.split(NOW).length - 1;
  return expected.length + dates * (HTTP_DATE_LENGTH - NOW.length);
}

function isBeginning(unread: string, expected: string): boolean {
  return dated(expected, unread).startsWith(unread.slice(0, lengthOf(expected)));
}

/** The expected text, with the received dates in place of `{now}`. */
function dated(expected: string, actual: string): string {
  const [first = '', ...others] = expected.split(NOW);
  let text = first;
  for (const other of others) {
    const date = actual.slice(text.length, text.length + HTTP_DATE_LENGTH);
    const isDate = HTTP_DATE.test(date) || date.length < HTTP_DATE_LENGTH;
    text += (isDate ? date : NOW).padEnd(HTTP_DATE_LENGTH) + other;
  }
  return text;
}
