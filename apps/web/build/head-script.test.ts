import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readCsrfToken } from '../src/api/client/read-csrf-token.ts';
import { headScript } from './head-script.ts';
import { olderBrowsers } from './older-browsers.ts';

beforeEach(() => {
  vi.stubGlobal('tongtu', undefined);
  sessionStorage.clear();
  document.body.innerHTML =
    '<div id="root"><div class="splash"></div></div><div class="not-loaded" hidden><button></button></div>';
  vi.useFakeTimers();
  vi.spyOn(window.location, 'reload').mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  document.body.innerHTML = '';
});

const isShown = () => document.querySelector('.not-loaded')?.hasAttribute('hidden') === false;
const reloads = () => vi.mocked(window.location.reload).mock.calls.length;

const answers = (status: number) => async () => new Response('{}', { status });
const refuses = () => Promise.reject<Response>(new TypeError('connection refused'));

function start(answer: () => Promise<Response>) {
  vi.stubGlobal('fetch', answer);
  headScript({ start: '/assets/start.js', modules: { console: [], captcha: [] }, screens: {}, check: [], login: [] });
}

function failScript(src = '/assets/start.js'): void {
  document.body.insertAdjacentHTML('beforeend', `<script src="${src}"></script>`); // such a script is not run
  document.querySelector('script')?.dispatchEvent(new Event('error'));
}

test('a page whose first script does not arrive says so, and opens when the server answers', async () => {
  start(refuses);
  failScript();
  expect([isShown(), document.querySelector('.splash')]).toEqual([true, null]);
  await vi.advanceTimersByTimeAsync(8_000);
  vi.stubGlobal('fetch', answers(503));
  await vi.advanceTimersByTimeAsync(8_000);
  expect(reloads()).toBe(0);
  vi.stubGlobal('fetch', answers(200));
  await vi.advanceTimersByTimeAsync(4_000);
  expect(reloads()).toBe(1);
});

test('a page reloads by itself once a minute at most, and not without a server', async () => {
  start(refuses);
  const reload = async () => [await window.tongtu?.reloadIfServed(), reloads()];
  expect(await reload()).toEqual([false, 0]);
  vi.stubGlobal('fetch', answers(429));
  expect(await reload()).toEqual([true, 1]);
  expect(await reload()).toEqual([true, 1]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await reload()).toEqual([true, 2]);
});

test('a page that cannot note its reload is not reloaded', async () => {
  start(answers(200));
  const setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem });
  expect([await window.tongtu?.reloadIfServed(), reloads()]).toEqual([true, 0]);
});

test('a script that others put into the page may fail', () => {
  start(answers(200));
  failScript('https://static.cdn.example/beacon.js');
  expect(isShown()).toBe(false);
});

test.each([
  ['', undefined],
  ['csrftoken=abc.d-e_f', 'abc.d-e_f'],
  ['other=1; csrftoken=own; csrftoken=of-a-neighbour; xcsrftoken=x', 'own, of-a-neighbour'],
  ['csrftoken="<script>"', undefined],
])('with the cookies %j the early calls carry the CSRF header that the console would send', (cookies, token) => {
  vi.spyOn(document, 'cookie', 'get').mockReturnValue(cookies);
  expect(readCsrfToken(cookies, 'http:')).toBe(token);
  const sent = new Map<string, string | undefined>();
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    sent.set(url.split('?')[0] ?? '', headers['x-csrftoken']);
    return new Response('{}');
  });
  const parts = { start: '', modules: { console: [], captcha: [] }, screens: {}, check: [], login: [] };
  window.location.hash = '#/devices';
  headScript(parts);
  window.location.hash = '#/check?url=http%3A%2F%2Fnas.localhost%2F';
  headScript(parts);
  expect(Object.fromEntries(sent)).toEqual({
    '/api/announcement/announcements/': token,
    '/api/site/config/': token,
    '/api/profile/': token,
    '/custom/check/': undefined, // raw
  });
});

test('a browser without newer functions gets equal ones', async () => {
  const lacking = new Map<object, string[]>([
    [Array.prototype, ['at', 'findLast', 'toSorted', 'toReversed']],
    [String.prototype, ['isWellFormed']],
    [Object, ['hasOwn']],
    [Map, ['groupBy']],
    [Promise, ['withResolvers']],
    [URL, ['canParse', 'parse']],
    [AbortSignal, ['any', 'timeout']],
    [AbortSignal.prototype, ['throwIfAborted']],
  ]);
  async function results() {
    const stopped = AbortSignal.any([new AbortController().signal, AbortSignal.abort(new Error('stopped'))]);
    const { promise, resolve } = Promise.withResolvers<number>();
    resolve(7);
    return [
      [[1, 2, 3].at(-1), [1].at(2), [3, 1, 2].toSorted((a, b) => a - b), [1, 2].toReversed()],
      [[1, 2, 3, 4].findLast((n) => n % 2 === 1), [1].findLast((n) => n > 1), Object.hasOwn({ a: 1 }, 'a')],
      ['a\ud83d\ude00', '\ud83d', '\ude00a', 'a\ude00', '\ud83d\ud83d\ude00'].map((text) => text.isWellFormed()),
      [URL.canParse('a'), URL.canParse('a', 'http://b'), URL.parse('/c', 'http://b')?.href, URL.parse('//')],
      [...Map.groupBy([1, 2, 3], (n) => n % 2)],
      [stopped.aborted, () => stopped.throwIfAborted()].map((one) => (typeof one === 'function' ? thrown(one) : one)),
      await promise,
    ];
  }
  function thrown(call: () => void): unknown {
    try {
      return call();
    } catch (error) {
      return String(error);
    }
  }
  const wanted = await results();
  const originals = [...lacking].flatMap(([of, names]) =>
    names.map((name) => [of, name, Object.getOwnPropertyDescriptor(of, name)] as const),
  );
  for (const [of, name] of originals) Object.defineProperty(of, name, { value: undefined, configurable: true });
  try {
    olderBrowsers();
    expect(await results()).toEqual(wanted);
    const ends = AbortSignal.timeout(1000);
    expect(ends.aborted).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(ends.aborted).toBe(true);
  } finally {
    for (const [of, name, original] of originals) {
      Reflect.deleteProperty(of, name); // of a class that extends another it was not its own
      if (original) Object.defineProperty(of, name, original);
    }
  }
});

test('a browser that is too old says what to do', () => {
  const { any } = Promise;
  Reflect.deleteProperty(Promise, 'any');
  try {
    olderBrowsers();
  } finally {
    Object.defineProperty(Promise, 'any', { value: any, writable: true, configurable: true });
  }
  expect([isShown(), document.body.textContent?.includes('浏览器版本太旧')]).toEqual([true, true]);
});
