import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDialogStack, type DialogStack } from './dialog-stack.ts';

type Entry = { state: unknown; href: string };

/** A tab's history with the entries before and after the current one. `go` is immediate here. */
function createHistory(start: string) {
  const entries: Entry[] = [
    { state: { idx: 0 }, href: 'http://console/#/record' },
    { state: { idx: 1 }, href: start },
  ];
  let index = 1;
  const current = () => entries[index] as Entry; // go() stays inside of the list
  function go(delta: number) {
    if (entries[index + delta] === undefined) return;
    index += delta;
    window.dispatchEvent(new PopStateEvent('popstate', { state: current().state }));
  }
  const history = {
    get state() {
      return current().state;
    },
    pushState(state: unknown, _title: string, href = current().href) {
      entries.splice(++index, Infinity, { state, href });
    },
    replaceState(state: unknown, _title: string, href: string) {
      entries[index] = { state, href };
    },
    back: () => go(-1),
    forward: () => go(1),
  };
  const location = {
    get href() {
      return current().href;
    },
  };
  return {
    window: { history, location } as unknown as Window,
    history,
    at: () => current().href,
    size: () => entries.length,
  }; // only what the stack uses
}

let stack: DialogStack;
let tab: ReturnType<typeof createHistory>;
let routed: string[];
const onRouterPop = () => void routed.push(tab.at());

beforeEach(() => {
  vi.useFakeTimers();
  routed = [];
  tab = createHistory('http://console/#/devices');
  stack = createDialogStack(tab.window);
  window.addEventListener('popstate', onRouterPop);
});
afterEach(() => {
  stack.stop();
  window.removeEventListener('popstate', onRouterPop);
  vi.useRealTimers();
});

function open({ closes = true, hasTyped = false } = {}) {
  const onBack = vi.fn<() => void>(() => {
    if (closes) remove();
  });
  const remove = stack.open({ onBack, hasUnsavedInput: () => hasTyped });
  return { onBack, remove };
}

function pressBack() {
  tab.history.back();
  vi.runAllTimers();
}

test('Back closes the top dialog, then the one below it, then leads to the page before', () => {
  const [lower, top] = [open(), open()];
  pressBack();
  expect([lower.onBack.mock.calls.length, top.onBack.mock.calls.length]).toEqual([0, 1]);
  pressBack();
  expect([lower.onBack.mock.calls.length, top.onBack.mock.calls.length]).toEqual([1, 1]);
  expect(tab.at()).toBe('http://console/#/devices');
  expect(routed).toEqual([]);
  pressBack();
  expect(routed).toEqual(['http://console/#/record']);
});

test('a dialog that does not close on Back gets the next Back as well', () => {
  const { onBack } = open({ closes: false });
  pressBack();
  pressBack();
  expect(onBack).toHaveBeenCalledTimes(2);
  expect(tab.at()).toBe('http://console/#/devices');
});

test('a question that Back opens is closed by the next Back', () => {
  let question: ReturnType<typeof open> | undefined;
  const onBack = vi.fn<() => void>(() => void (question = open()));
  stack.open({ onBack, hasUnsavedInput: () => true });
  pressBack();
  pressBack();
  expect(question?.onBack).toHaveBeenCalledTimes(1);
  expect(onBack).toHaveBeenCalledTimes(1);
  pressBack();
  expect(onBack).toHaveBeenCalledTimes(2);
});

test('Back after a dialog was closed by its button leads to the page before at once', () => {
  open().remove();
  pressBack();
  expect(routed).toEqual(['http://console/#/record']);
});

test('dialogs that follow each other share one history entry', () => {
  open().remove();
  open().remove();
  const { onBack } = open();
  expect(tab.size()).toBe(3);
  pressBack();
  expect(onBack).toHaveBeenCalledTimes(1);
});

test('Back from a page that a dialog led to shows the page of the dialog, and then the one before', () => {
  const { remove } = open();
  tab.history.pushState({ idx: 2 }, '', 'http://console/#/user/info');
  remove();
  stack.noteNavigation();
  pressBack();
  pressBack();
  expect(routed).toEqual(['http://console/#/devices', 'http://console/#/record']);
});

test('a dialog keeps its Back when the router replaces the address below it', () => {
  const { onBack } = open();
  tab.history.replaceState({ idx: 1 }, '', 'http://console/#/devices?domain=nas');
  stack.noteNavigation();
  pressBack();
  expect(onBack).toHaveBeenCalledTimes(1);
  expect(tab.at()).toBe('http://console/#/devices?domain=nas');
});

test.each([
  ['another address', () => tab.history.replaceState({ idx: 1 }, '', 'http://console/#/user/info'), [0, 1]],
  ['the end of all pages', () => stack.stop(), [1, 1]],
])('who watches the page is notified of %s, but not of a change of the same page', (_words, leave, counts) => {
  const onLeft = vi.fn<() => void>();
  const unwatch = stack.watchPage(onLeft);
  stack.noteNavigation();
  expect(onLeft).not.toHaveBeenCalled();
  leave();
  const afterLeaving = [onLeft.mock.calls.length];
  stack.noteNavigation();
  expect([...afterLeaving, onLeft.mock.calls.length]).toEqual(counts);
  unwatch();
  stack.noteNavigation();
  expect(onLeft).toHaveBeenCalledTimes(1);
});

test.each([
  ['warns while a dialog has unsaved input', true, true],
  ['does not warn while there is none', false, false],
])('the tab %s', (_words, hasTyped, isStopped) => {
  const { remove } = open({ hasTyped });
  const leave = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(leave()).toBe(isStopped);
  remove();
  expect(leave()).toBe(false);
});
