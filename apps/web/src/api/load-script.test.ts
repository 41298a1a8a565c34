import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadScript, type ScriptOptions } from './load-script.ts';

beforeEach(() => {
  vi.useFakeTimers();
  // happy-dom would fetch the script; each test decides what it does.
  vi.spyOn(document.head, 'append').mockImplementation((...nodes) => void added.push(nodes[0] as HTMLScriptElement));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  added.length = 0;
});

const added: HTMLScriptElement[] = [];
const globals = window as unknown as Record<string, unknown>;

function start(options: ScriptOptions = {}) {
  const answer = loadScript('https://sso.example.com/wechat/login', options);
  const outcome = answer.then(
    (value) => value,
    (error: { failure: { type: string } }) => error.failure.type,
  );
  const [element] = added.slice(-1) as [HTMLScriptElement]; // loadScript has appended it
  const url = new URL(element.src);
  const name = url.searchParams.get(options.callbackParameter ?? 'callback') ?? '';
  return { outcome, element, url, name, call: (value: unknown) => (globals[name] as (value: unknown) => void)(value) };
}

test('the script’s first call is the answer; a second call is ignored', async () => {
  const { outcome, element, url, call } = start({ query: { state: 'a b' } });

  call({ status: 'ok' });
  call({ status: 'other' });
  element.dispatchEvent(new Event('load'));

  expect(await outcome).toEqual({ status: 'ok' });
  expect(url.searchParams.get('state')).toBe('a b');
});

test('each load has its own callback, which is removed after the script has run', async () => {
  const [first, second] = [start(), start({ callbackParameter: 'cb' })];
  expect(first.name).toMatch(/^[A-Za-z_$][\w$.]{0,63}$/);
  expect(second.name).not.toBe(first.name);

  second.call(2);
  first.call(1);
  for (const { element } of [first, second]) element.dispatchEvent(new Event('load'));

  expect(await Promise.all([first.outcome, second.outcome])).toEqual([1, 2]);
  expect([globals[first.name], globals[second.name]]).toEqual([undefined, undefined]);
});

test('a script that cannot be loaded, or does not call back, fails', async () => {
  const [broken, silent] = [start(), start()];
  broken.element.dispatchEvent(new Event('error'));
  silent.element.dispatchEvent(new Event('load'));
  expect(await Promise.all([broken.outcome, silent.outcome])).toEqual(['network', 'network']);
});

test('a load times out after a minute; a later callback does nothing', async () => {
  const { outcome, call } = start();
  vi.advanceTimersByTime(60_000);
  expect(await outcome).toBe('timeout');
  expect(() => call('late')).not.toThrow();
});

test('the timeout can be set, and a signal cancels the load', async () => {
  const aborter = new AbortController();
  const [short, cancelled] = [start({ timeoutMs: 10 }), start({ signal: aborter.signal })];
  vi.advanceTimersByTime(10);
  aborter.abort();
  expect(await Promise.all([short.outcome, cancelled.outcome])).toEqual(['timeout', 'cancelled']);
});
