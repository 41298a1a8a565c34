import { describe, expect, test, vi } from 'vitest';
import { fillGaps } from './older-browsers.ts';

/** The globals of a browser that has none of the functions. */
function olderBrowser() {
  const browser = { AbortSignal: {}, URL: {}, Promise: {}, Map: {}, Element: { prototype: {} } };
  fillGaps(browser);
  return browser as unknown as typeof globalThis;
}

const older = olderBrowser();

describe.each([
  ['its own', globalThis],
  ['filled in', older],
])('a browser whose functions are %s', (_whose, { AbortSignal, URL, Promise, Map }) => {
  test('ends a signal with the first of several, for its reason', () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const both = AbortSignal.any([first.signal, second.signal]);
    const onAbort = vi.fn<() => void>();
    both.addEventListener('abort', onAbort);
    expect(both.aborted).toBe(false);
    second.abort('second');
    first.abort('first');
    expect(both).toMatchObject({ aborted: true, reason: 'second' });
    expect(onAbort).toHaveBeenCalledOnce();
    expect(AbortSignal.any([first.signal]).reason).toBe('first');
  });

  test('distinguishes addresses from other texts', () => {
    expect(URL.canParse('http://nas:5000')).toBe(true);
    expect(URL.canParse('nas')).toBe(false);
    expect(URL.canParse('nas', 'http://router')).toBe(true);
  });

  test('resolves and rejects a promise from outside', async () => {
    const [kept, broken] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    kept.resolve(1);
    broken.reject(new Error('broken'));
    await expect(kept.promise).resolves.toBe(1);
    await expect(broken.promise).rejects.toThrow('broken');
  });

  test('groups in the order of the items', () => {
    const groups = Map.groupBy(['ab', 'c', 'de'], (text, index) => `${text.length}${index > 1 ? '+' : ''}`);
    expect([...groups]).toEqual([
      ['2', ['ab']],
      ['1', ['c']],
      ['2+', ['de']],
    ]);
  });
});

test('an element without a box is not visible', () => {
  const isVisible = (boxes: readonly object[]) =>
    older.Element.prototype.checkVisibility.call({ getClientRects: () => boxes });
  expect(isVisible([])).toBe(false);
  expect(isVisible([{}])).toBe(true);
});

test('what the browser has stays', () => {
  const { canParse } = URL;
  fillGaps(globalThis);
  expect(URL.canParse).toBe(canParse);
});
