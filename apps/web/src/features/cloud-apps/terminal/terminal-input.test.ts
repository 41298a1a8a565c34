import { terminalInputStepBytes, terminalInputWindowBytes } from '@tongtu/contract/terminal-input';
import { afterEach, expect, test, vi } from 'vitest';
import { maxQueuedPasteBytes, type PasteStopped, TerminalInput } from './terminal-input.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const end = encode('<end>');

afterEach(() => void vi.useRealTimers());

function open() {
  const sent: Uint8Array[] = [];
  const pasting: boolean[] = [];
  const stopped: PasteStopped[] = [];
  const input = new TerminalInput({
    send: (bytes) => void sent.push(bytes),
    onPasting: (isPasting) => void pasting.push(isPasting),
    onPasteStopped: (what) => void stopped.push(what),
  });
  const sentBytes = () => sent.reduce((sum, { length }) => sum + length, 0);
  const text = () => new TextDecoder().decode(Uint8Array.from(sent.flatMap((bytes) => [...bytes])));
  /** The target takes all that it gets, as the gateway reports it. */
  const takeAll = () => {
    for (let taken = 0; taken + terminalInputStepBytes <= sentBytes(); taken += terminalInputStepBytes)
      input.addTaken(terminalInputStepBytes);
  };
  return { input, sent, pasting, stopped, sentBytes, text, takeAll };
}

test('no more is on its way than the target has room for, and the paste arrives whole, its end last', () => {
  const { input, sentBytes, text, takeAll, pasting } = open();
  const long = '粘贴'.repeat(100_000);
  input.paste(encode(long), end);
  expect(sentBytes()).toBe(terminalInputWindowBytes);
  expect(input.pasteProgress).toEqual({ sentBytes: terminalInputWindowBytes, totalBytes: 600_000 });
  takeAll();
  expect(text()).toBe(`${long}<end>`);
  expect([pasting[0], pasting.at(-1), input.pasteProgress]).toEqual([true, false, undefined]);
});

test('keys wait behind a paste, and a second paste behind both', () => {
  const { input, text, takeAll } = open();
  input.paste(encode('a'.repeat(100_000)));
  input.type(encode('x'));
  input.paste(encode('b'.repeat(100_000)));
  takeAll();
  expect(text()).toBe(`${'a'.repeat(100_000)}x${'b'.repeat(100_000)}`);
});

test.each(['\u0003', '\u001A', '\u001C'])(
  '%j passes ahead of a paste and ends it, also where nothing is taken',
  (key) => {
    const { input, text, sentBytes, stopped } = open();
    input.paste(encode('a'.repeat(100_000)), end);
    input.type(encode('more'));
    input.type(encode(key));
    input.type(encode(key));
    expect(text()).toBe(`${'a'.repeat(terminalInputWindowBytes)}<end>${key}${key}`);
    expect(stopped).toEqual([{ unsentBytes: 100_000 - terminalInputWindowBytes, isTargetStuck: false }]);
    input.addTaken(sentBytes());
    input.type(encode('ls'));
    expect(text()).toMatch(/<end>..ls$/su);
  },
);

test('a paste of which nothing was sent has no end mark', () => {
  const { input, text } = open();
  input.paste(encode('a'.repeat(terminalInputWindowBytes)));
  input.paste(encode('b'.repeat(10)), end);
  input.stopPastes();
  expect(text()).toBe('a'.repeat(terminalInputWindowBytes));
});

test('who stops a paste learns that the target has taken nothing for a while', () => {
  vi.useFakeTimers();
  const { input, stopped } = open();
  input.paste(encode('a'.repeat(100_000)));
  vi.advanceTimersByTime(4_000);
  input.stopPastes();
  expect(stopped).toMatchObject([{ isTargetStuck: true }]);
});

test('another shell gets nothing of what was meant for the one before', () => {
  const { input, text } = open();
  input.paste(encode('a'.repeat(100_000)));
  input.reset();
  input.addTaken(10_000);
  input.type(encode('ls'));
  expect(text()).toBe(`${'a'.repeat(terminalInputWindowBytes)}ls`);
});

test('what waits has a limit', () => {
  const { input, sentBytes } = open();
  expect(input.paste(new Uint8Array(maxQueuedPasteBytes))).toBe(true);
  expect(input.paste(new Uint8Array(terminalInputWindowBytes + 1))).toBe(false);
  input.stopPastes();
  for (let times = 0; times < 20_000; times++) input.type(encode('mouse'));
  input.addTaken(sentBytes());
  for (let times = 0; times < 100; times++) input.addTaken(terminalInputWindowBytes);
  expect(sentBytes()).toBeLessThan(3 * terminalInputWindowBytes);
});
