import { expect, test } from 'vitest';
import { ChannelDemand } from './channel-demand.ts';

test.each([
  [0, 1],
  [1, 3],
  [4, 6],
  [6, 8],
  [1_000, 8],
])('%i streams need %i channels', (busyCount, channelCount) => {
  const demand = new ChannelDemand(45_000);
  demand.note(busyCount, 0);
  expect(demand.channelCount(1)).toBe(channelCount);
});

test('a number of channels stays needed for a while, and then what was needed since', () => {
  const demand = new ChannelDemand(45_000);
  demand.note(5, 0);
  demand.note(2, 30_000);
  expect([0, 44_999, 45_000, 74_999, 75_000].map((ms) => demand.channelCount(ms))).toEqual([7, 7, 4, 4, 1]);
});
