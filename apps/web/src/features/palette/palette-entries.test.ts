import { expect, test } from 'vitest';
import { deviceOf, mappingOf } from '../../testing/device-fixtures.ts';
import { paletteText } from '../../text/palette.ts';
import { findEntries, paletteEntries } from './palette-entries.ts';

const photos = mappingOf({ id: 1, domain: 'photos.localhost', url: 'http://photos.localhost/', remark: '家庭相册' });
const ssh = mappingOf({
  id: 2,
  kind: 'tcp',
  port: 20022,
  domain: 'localhost',
  url: 'tcp://localhost:20022',
  target: '192.168.1.9:22',
});
const nas = deviceOf({ id: 1, name: '群晖', group: '家里', mappings: [photos, ssh] });
const shop = deviceOf({ id: 2, name: '门店 群晖', uid: '00000000000a', mappings: [] });
const place = { hasShop: false, isStaff: false, hasKeyboard: true };
const entries = paletteEntries([shop, nas], place);

const found = (typed: string) => findEntries(entries, typed).map(({ key }) => key);

test.each([
  ['群晖', ['device 1', 'statistics of device 1', 'device 2', 'statistics of device 2']],
  ['相册', ['mapping 1', 'visits of mapping 1', 'statistics of mapping 1']],
  ['日志 相册', ['visits of mapping 1']],
  ['统计 20022', ['statistics of mapping 2']],
  ['PHOTOS local', ['mapping 1', 'visits of mapping 1', 'statistics of mapping 1']],
  ['192.168.1.9', ['mapping 2', 'visits of mapping 2', 'statistics of mapping 2']],
  ['00000000000a', ['device 2', 'statistics of device 2']],
  ['家里', ['device 1', 'statistics of device 1']],
  ['添加', ['add-device']],
  ['验证', ['screen /record']],
  ['玩家', ['screen /playersare']],
  ['没有这个', []],
])('%j finds %j', (typed, expected) => {
  expect(found(typed)).toEqual(expected);
});

test('a web mapping is opened, a port or a wildcard leads to its device, and both to their log and statistics', () => {
  const targetOf = (key: string) => entries.find((entry) => entry.key === key)?.target;
  expect(targetOf('mapping 1')).toEqual({ url: 'http://photos.localhost/' });
  expect(targetOf('mapping 2')).toEqual({ path: '/devices?view=manage&q=tcp%3A%2F%2Flocalhost%3A20022' });
  const all = mappingOf({ domain: '*.home.example.com', url: 'https://*.home.example.com' });
  const ofWildcard = paletteEntries([deviceOf({ mappings: [all] })], place).find(({ kind }) => kind === 'mapping');
  expect(ofWildcard?.target).toEqual({ path: expect.stringMatching(/^\/devices\?view=manage&q=/) });
  expect(targetOf('visits of mapping 2')).toEqual({ path: '/visits/2' });
  expect(targetOf('statistics of mapping 2')).toEqual({ path: '/statistics?device=1&mapping=2' });
  expect(targetOf('statistics of device 1')).toEqual({ path: '/statistics?device=1' });
});

test('management and shop are offered to those who have them, and the list of keys where there are keys', () => {
  const labels = (place: { hasShop: boolean; isStaff: boolean; hasKeyboard: boolean }) =>
    paletteEntries([], place).map(({ label }) => label);
  const withKeyboard = labels({ hasShop: false, isStaff: false, hasKeyboard: true });
  expect(withKeyboard).not.toContain('购买套餐');
  expect(withKeyboard).toContain(paletteText.actions.shortcuts);
  const onPhone = labels({ hasShop: true, isStaff: true, hasKeyboard: false });
  expect(onPhone).toEqual(expect.arrayContaining(['购买套餐', '管理']));
  expect(onPhone).not.toContain(paletteText.actions.shortcuts);
});
