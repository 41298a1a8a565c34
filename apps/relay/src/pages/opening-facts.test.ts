import type { Route } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { createAgentKey, testDevice } from '../testing/start-test-relay.ts';
import { openingFacts } from './opening-facts.ts';

function routeWith(part: Partial<Route>): Route {
  const [route] = testDevice(createAgentKey(), { 'nas.localhost': 80 }, part).routes;
  if (route === undefined) throw new Error('a device with one host has one route');
  return route;
}
const hours = (days: number[], fromMinute: number, toMinute: number) =>
  openingFacts(routeWith({ hours: { days, fromMinute, toMinute } }), 'outside-hours')?.[0]?.[1];

test('a visitor who comes too early or too late reads the time in Beijing time', () => {
  const atMs = Date.UTC(2026, 11, 1, 0, 30);
  expect(openingFacts(routeWith({ opensAtMs: atMs }), 'not-open-yet')).toEqual([
    ['开放时间', '2026/12/1 08:30:00（北京时间）'],
  ]);
  expect(openingFacts(routeWith({ closesAtMs: atMs }), 'closed')).toEqual([
    ['关闭时间', '2026/12/1 08:30:00（北京时间）'],
  ]);
});

test('opening hours are written as people say them', () => {
  expect(hours([1, 2, 3, 4, 5, 6, 7], 510, 1440)).toBe('每天 08:30 至 24:00（北京时间）');
  expect(hours([7, 1, 3], 0, 61)).toBe('每周一、三、日 00:00 至 01:01（北京时间）');
  expect(hours([5], 1320, 120)).toBe('每周五 22:00 至 次日 02:00（北京时间）');
});

test('a visitor who is refused for another reason does not see the times', () => {
  expect(openingFacts(routeWith({ opensAtMs: 1, hours: null }), 'needs-verification')).toBeUndefined();
});
