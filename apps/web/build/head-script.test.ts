import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { headScript } from './head-script.ts';

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
