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
  demand.note({ busyCount, bulkCount: 0, isLossy: true }, 0);
  expect(demand.channelCount(1)).toBe(channelCount);
});

test('a number of channels stays needed for a while, and then what was needed since', () => {
  const demand = new ChannelDemand(45_000);
  demand.note({ busyCount: 5, bulkCount: 0, isLossy: true }, 0);
  demand.note({ busyCount: 2, bulkCount: 0, isLossy: true }, 30_000);
  expect([0, 44_999, 45_000, 74_999, 75_000].map((ms) => demand.channelCount(ms))).toEqual([7, 7, 4, 4, 1]);
});

test('on a good line only long transfers need channels of their own', () => {
  const demand = new ChannelDemand(45_000);
  demand.note({ busyCount: 64, bulkCount: 0, isLossy: false }, 0);
  expect(demand.channelCount(1)).toBe(2);
  demand.note({ busyCount: 64, bulkCount: 2, isLossy: false }, 2);
  expect(demand.channelCount(3)).toBe(4);
});
