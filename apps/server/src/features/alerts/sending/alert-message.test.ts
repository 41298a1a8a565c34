import { expect, test } from 'vitest';
import { absenceKey, describeAlert, plainText, writeMessage } from './alert-message.ts';
import type { AlertDetails, OfflineDevice } from '../alert-details.ts';
import { durationBetween } from '../chinese-time.ts';

const consoleUrl = 'https://tongtu.example.com';
const since = '2026-11-21T08:03:20.000Z';

function offlineDevice(name: string, id = 1): OfflineDevice {
  return { id, uid: '0123456789ab', name, since, reason: 'no_heartbeat' };
}

test('the message about one offline device has the time, the reason and an address', () => {
  const message = writeMessage(consoleUrl, { event: 'device_offline', devices: [offlineDevice('NAS')] });

  expect(plainText(message)).toBe(
    [
      '【通途】NAS 已离线',
      '离线时间：2026-11-21 16:03（北京时间）',
      '设备一段时间没有回应，可能断电、断网或休眠',
      'https://tongtu.example.com/#/devices?domain=0123456789ab&diagnose=1',
    ].join('\n'),
  );
});

test('the message about many devices has the names of ten', () => {
  const devices = Array.from({ length: 50 }, (_, index) => offlineDevice(`设备 ${index + 1}`, index + 1));

  const message = writeMessage(consoleUrl, { event: 'device_offline', devices });

  expect(message.title).toBe('50 台设备已离线');
  expect(message.facts[0]).toBe(
    `${devices
      .slice(0, 10)
      .map(({ name }) => name)
      .join('、')} 等 50 台`,
  );
  expect(message.url).toBe('https://tongtu.example.com/#/devices');
});

test('the longest message about devices fits into 2048 bytes, the limit of chat robots', () => {
  const devices = Array.from({ length: 500 }, (_, index) => offlineDevice('名'.repeat(40), index));
  const back = devices.map((device) => ({ ...device, back: '2027-11-20T23:03:20.000Z' }));
  const ended = new Set(devices.map(absenceKey));
  const details: AlertDetails[] = [
    { event: 'device_offline', devices },
    { event: 'device_online', devices: back },
  ];

  for (const one of details) {
    expect(Buffer.byteLength(plainText(writeMessage(consoleUrl, one, ended))), one.event).toBeLessThanOrEqual(2048);
  }
});

test('a late message says that the device is back', () => {
  const [nas, pc] = [offlineDevice('NAS'), offlineDevice('PC', 2)];
  const late = (devices: OfflineDevice[], back: OfflineDevice[]) =>
    writeMessage(consoleUrl, { event: 'device_offline', devices }, new Set(back.map(absenceKey)));

  expect(late([nas], [nas])).toMatchObject({ title: 'NAS 曾经离线', facts: expect.arrayContaining(['现已恢复在线']) });
  expect(late([nas, pc], [pc])).toMatchObject({ title: '2 台设备已离线' });
  expect(late([nas, pc], [pc]).facts[0]).toBe('NAS、PC（现已恢复在线）');
  expect(late([nas, pc], [nas, pc]).title).toBe('2 台设备曾经离线');
});

test('the message about a return says how long the device was offline', () => {
  const devices = [{ id: 1, uid: '0123456789ab', name: 'NAS', since, back: '2026-11-21T10:08:00.000Z' }];

  expect(describeAlert({ event: 'device_online', devices })).toBe(
    'NAS 已恢复在线，恢复时间：2026-11-21 18:08（北京时间），离线了 2 小时 5 分钟',
  );
});

test('the list describes an alert in one line', () => {
  expect(describeAlert({ event: 'device_offline', devices: [offlineDevice('NAS')] })).toBe(
    'NAS 已离线，离线时间：2026-11-21 16:03（北京时间），设备一段时间没有回应，可能断电、断网或休眠',
  );
  expect(describeAlert({ event: 'device_offline', devices: [offlineDevice('NAS'), offlineDevice('PC', 2)] })).toMatch(
    /^2 台设备已离线：NAS、PC，离线时间：2026/,
  );
  expect(describeAlert({ event: 'test', at: since, channel: '手机' })).toMatch(/^测试提醒：“手机”可以收到提醒，2026/);
});

test('the message about a login has browser, place, time and advice', () => {
  const login = { browser: 'Chrome · Windows', place: '广东省深圳市', ip: '113.92.1.1', at: since };

  const text = plainText(writeMessage(consoleUrl, { event: 'new_login', ...login }));

  for (const part of [
    'Chrome · Windows',
    '广东省深圳市（113.92.1.1）',
    '16:03（北京时间）',
    '修改密码',
    '/#/user/info',
  ]) {
    expect(text).toContain(part);
  }
  expect(describeAlert({ event: 'new_login', ...login, place: '' })).toContain('地点：未知（113.92.1.1）');
});

test('the message about a new passkey has its name, where it was added, and advice', () => {
  const added = { name: '我的手机', browser: 'Chrome · Windows', place: '', ip: '113.92.1.1', at: since };

  const text = plainText(writeMessage(consoleUrl, { event: 'passkey_added', ...added }));

  for (const part of [
    '账号新增了通行密钥',
    '名称：我的手机',
    'Chrome · Windows',
    '未知（113.92.1.1）',
    '删除它',
    '/#/user/info',
  ])
    expect(text).toContain(part);
});

test.each([
  ['2026-11-21T08:03:21Z', '1 分钟'],
  ['2026-11-21T09:02:20Z', '59 分钟'],
  ['2026-11-21T09:03:20Z', '1 小时'],
  ['2026-11-22T08:03:20Z', '1 天'],
  ['2026-11-23T20:04:20Z', '2 天 12 小时'],
])('the duration until %s is %s', (to, text) => {
  expect(durationBetween(since, to)).toBe(text);
});

test('the message about the ledger lists what does not fit, as far as chat robots take it', () => {
  const problems = Array.from({ length: 5 }, () => '科目余额不一致：'.padEnd(400, '账'));
  const at = '2026-11-21T08:03:20.000Z';

  const message = writeMessage(consoleUrl, { event: 'ledger_unbalanced', at, problems, problemCount: 9 });

  expect(message).toMatchObject({ title: '账目对不上', url: 'https://tongtu.example.com/#/manage/ledger' });
  expect(message.facts.slice(-2)).toEqual(['共 9 处', '时间：2026-11-21 16:03（北京时间）']);
  expect(Buffer.byteLength(plainText(message))).toBeLessThanOrEqual(2048);
});

test('the message about a plan names its device and leads to its renewal', () => {
  const plan = { id: 3, name: '标准版', device: { id: 7, name: 'NAS' }, ends: since };

  expect(plainText(writeMessage(consoleUrl, { event: 'plan_expiring', plans: [plan] }))).toBe(
    [
      '【通途】NAS 的套餐即将到期',
      '套餐：标准版',
      '到期时间：2026-11-21 16:03（北京时间）',
      '请及时续费。到期后访客打不开，设置都会保留。',
      'https://tongtu.example.com/#/plans?router=7',
    ].join('\n'),
  );
  const unbound = { ...plan, id: 4, device: null };
  expect(writeMessage(consoleUrl, { event: 'plan_expired', plans: [unbound] }).title).toBe('套餐 标准版 已到期');
  const both = writeMessage(consoleUrl, { event: 'plan_expired', plans: [plan, unbound] });
  expect(both).toMatchObject({ title: '2 个套餐已到期', url: 'https://tongtu.example.com/#/plans' });
  expect(both.facts[0]).toBe('NAS、标准版（未绑定设备）');
});
