import { afterEach, expect, test, vi } from 'vitest';
import { countRound, forgetRounds, isGoingRound } from './rounds.ts';

const url = 'http://nas.localhost/photos/?a=1#x';
const startMs = 1_000_000;

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

function goRound(times: number, to = url): void {
  for (let round = 0; round < times; round++) countRound(to, startMs + round * 1000);
}

test('three redirects to one address within half a minute are the limit', () => {
  goRound(2);
  expect(isGoingRound(url, startMs + 2000)).toBe(false);
  countRound(url, startMs + 2000);
  expect(isGoingRound(url, startMs + 3000)).toBe(true);
  expect(isGoingRound('http://cam.localhost/', startMs + 3000)).toBe(false);
});

test('old redirects and redirects to another address do not count', () => {
  goRound(3);
  expect(isGoingRound(url, startMs + 30_000)).toBe(false);
  goRound(1, 'http://cam.localhost/');
  expect(isGoingRound(url, startMs + 3000)).toBe(false);
});

test('after a reset the count starts again', () => {
  goRound(3);
  forgetRounds();
  expect(isGoingRound(url, startMs + 3000)).toBe(false);
});

test.each(['not a note', `${url}\nx\n\nNaN`, '\n\n\n\n'])('an unreadable note counts nothing: %j', (note) => {
  sessionStorage.setItem('tongtu.check-rounds', note);
  expect(isGoingRound(url, startMs)).toBe(false);
});

test('without storage nothing is counted and nothing fails', () => {
  vi.stubGlobal('sessionStorage', undefined);
  goRound(5);
  forgetRounds();
  expect(isGoingRound(url, startMs)).toBe(false);
});
