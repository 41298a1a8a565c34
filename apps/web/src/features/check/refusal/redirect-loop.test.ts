import { afterEach, expect, test, vi } from 'vitest';
import { countRedirect, forgetRedirects, isRedirectLoop } from './redirect-loop.ts';

const url = 'http://nas.localhost/photos/?a=1#x';
const startMs = 1_000_000;

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

function goRound(times: number, to = url): void {
  for (let round = 0; round < times; round++) countRedirect(to, startMs + round * 1000);
}

test('three redirects to one address within half a minute are the limit', () => {
  goRound(2);
  expect(isRedirectLoop(url, startMs + 2000)).toBe(false);
  countRedirect(url, startMs + 2000);
  expect(isRedirectLoop(url, startMs + 3000)).toBe(true);
  expect(isRedirectLoop('http://cam.localhost/', startMs + 3000)).toBe(false);
});

test('old redirects and redirects to another address do not count', () => {
  goRound(3);
  expect(isRedirectLoop(url, startMs + 30_000)).toBe(false);
  goRound(1, 'http://cam.localhost/');
  expect(isRedirectLoop(url, startMs + 3000)).toBe(false);
});

test('after a reset the count starts again', () => {
  goRound(3);
  forgetRedirects();
  expect(isRedirectLoop(url, startMs + 3000)).toBe(false);
});

test.each(['not a note', `${url}\nx\n\nNaN`, '\n\n\n\n'])('an unreadable note counts nothing: %j', (note) => {
  sessionStorage.setItem('tongtu.check-rounds', note);
  expect(isRedirectLoop(url, startMs)).toBe(false);
});

test('without storage nothing is counted and nothing fails', () => {
  vi.stubGlobal('sessionStorage', undefined);
  goRound(5);
  forgetRedirects();
  expect(isRedirectLoop(url, startMs)).toBe(false);
});
