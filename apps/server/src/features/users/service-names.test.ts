import { expect, test } from 'vitest';
import { isServiceName } from './service-names.ts';

test.each([
  ...[
    '通途管理员',
    '管理员',
    '管理員',
    '通途',
    '通途客服',
    '在线客服01',
    '官方小助手',
    '超级管理员',
    '系统通知',
    '系统',
    '管_理_员',
  ],
  ...['admin', 'Admin', 'ADMIN', 'admin1', 'admin_2026', 'sys.admin', 'superadmin', 'administrator', 'root', 'support'],
  ...[
    'tongtu',
    'tongtu-support',
    'TongtuHelp',
    'mytongtu',
    'official.li',
    'li-official',
    'staff',
    'security',
    '小李admin',
  ],
  // Cyrillic, Greek, full-width, accents, digits, and letters that look like two.
  ...[
    'аdmin',
    'аԁmіn',
    'ADМIN',
    'αdmin',
    'ａｄｍｉｎ',
    'ádmin',
    'adm1n',
    'admln',
    'adrnin',
    'r00t',
    'ѕuррort',
    't0ngtu',
    'ᴀᴅᴍɪɴ',
    'ʼadminʼ',
    '客ー服',
  ],
])('%s could be taken for the service', (name) => {
  expect(isServiceName(name)).toBe(true);
});

test.each([
  ...[
    '王伟',
    '小李',
    'li',
    'wang88',
    'badminton',
    'rooted',
    'supporter',
    'my.service',
    'lisystems',
    'nadmir',
    'home.help',
  ],
  ...['用户a2b3c4d5', '旅途', '站台', '管理学', 'tong', 'Иван', '系统之家'],
])('%s is a name like any other', (name) => {
  expect(isServiceName(name)).toBe(false);
});
