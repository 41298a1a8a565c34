import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';

const messagesOf = (env: NodeJS.ProcessEnv) => readConfig(env, []).messages;

const aliyun = {
  SMS: 'aliyun',
  SMS_SIGN_NAME: '通途',
  SMS_TEMPLATE: 'SMS_100',
  ALIYUN_ACCESS_KEY_ID: 'id',
  ALIYUN_ACCESS_KEY_SECRET: 'secret',
};
const tencent = {
  SMS: 'tencent',
  SMS_SIGN_NAME: '通途',
  SMS_TEMPLATE: '1110',
  SMS_TEMPLATE_ABROAD: '2220',
  SMS_APP_ID: '1400006666',
  TENCENTCLOUD_SECRET_ID: 'id',
  TENCENTCLOUD_SECRET_KEY: 'key',
};

test('by default an installation sends no codes, so nobody logs in by phone', () => {
  expect(messagesOf({})).toEqual({
    sms: undefined,
    mail: undefined,
    smsPerDay: 2000,
    phoneRegions: ['86'],
    alertAddresses: 'public',
  });
  expect(messagesOf({ NODE_ENV: 'production' })).toMatchObject({ sms: undefined, mail: undefined });
});

test('in development codes are shown unless a provider sends them', () => {
  const shown = { provider: 'development' };
  expect(messagesOf({ NODE_ENV: 'development' })).toMatchObject({ sms: shown, mail: shown });
  expect(messagesOf({ DEVELOPMENT_CODES: 'on' })).toMatchObject({ sms: shown, mail: shown });
  expect(messagesOf({ NODE_ENV: 'development', DEVELOPMENT_CODES: 'off' })).toMatchObject({ sms: undefined });
  expect(messagesOf({ ...aliyun, DEVELOPMENT_CODES: 'on' })).toMatchObject({
    sms: { provider: 'aliyun' },
    mail: shown,
  });
});

test('codes are never shown in production', () => {
  expect(() => messagesOf({ NODE_ENV: 'production', DEVELOPMENT_CODES: 'on' })).toThrow(
    'NODE_ENV=production 时不能设置 DEVELOPMENT_CODES=on',
  );
});

test('each provider gets its own settings', () => {
  const texts = { signName: '通途', template: 'SMS_100', templateAbroad: 'SMS_100' };
  expect(messagesOf(aliyun).sms).toEqual({
    provider: 'aliyun',
    ...texts,
    accessKeyId: 'id',
    accessKeySecret: 'secret',
  });
  expect(messagesOf(tencent).sms).toMatchObject({
    templateAbroad: '2220',
    appId: '1400006666',
    region: 'ap-guangzhou',
  });
});

test.each([
  [aliyun, 'SMS_SIGN_NAME'],
  [aliyun, 'SMS_TEMPLATE'],
  [aliyun, 'ALIYUN_ACCESS_KEY_SECRET'],
  [tencent, 'SMS_APP_ID'],
  [tencent, 'TENCENTCLOUD_SECRET_KEY'],
])('a missing setting of a provider is named: %j without %s', (env, name) => {
  expect(() => messagesOf({ ...env, [name]: '' })).toThrow(`SMS=${env.SMS} 需要设置 ${name}`);
});

test('all missing settings of a provider are named at once', () => {
  expect(() => messagesOf({ SMS: 'aliyun', SMS_TEMPLATE: 'SMS_100' })).toThrow(
    'SMS=aliyun 需要设置 SMS_SIGN_NAME、ALIYUN_ACCESS_KEY_ID、ALIYUN_ACCESS_KEY_SECRET',
  );
});

test('a mail server needs a sender, and the other way round', () => {
  const SMTP_URL = 'smtps://a:b@smtp.example.com:465';
  const SMTP_FROM = '通途 <noreply@example.com>';
  expect(messagesOf({ SMTP_URL, SMTP_FROM }).mail).toEqual({ provider: 'smtp', url: SMTP_URL, from: SMTP_FROM });
  expect(() => messagesOf({ SMTP_URL })).toThrow('SMTP_URL 和 SMTP_FROM 必须同时设置');
  expect(() => messagesOf({ SMTP_FROM })).toThrow('SMTP_URL 和 SMTP_FROM 必须同时设置');
  expect(() => messagesOf({ SMTP_URL: 'https://example.com', SMTP_FROM })).toThrow('SMTP_URL');
});

test('the number of SMS per day is a whole number, at least one', () => {
  expect(messagesOf({ SMS_PER_DAY: '50' }).smsPerDay).toBe(50);
  for (const wrong of ['0', '-1', '1.5', '1e3', '1000001', 'off'])
    expect(() => messagesOf({ SMS_PER_DAY: wrong })).toThrow('SMS_PER_DAY');
});

test('regions are calling codes, the usual one first', () => {
  expect(messagesOf({ PHONE_REGIONS: '+852, 86 853' }).phoneRegions).toEqual(['852', '86', '853']);
  for (const wrong of ['CN', '086', '86;852', ','])
    expect(() => messagesOf({ PHONE_REGIONS: wrong })).toThrow('电话区号');
});

test('alerts go to private addresses only if the operator allows it', () => {
  expect(messagesOf({ ALERT_PRIVATE_ADDRESSES: 'off' }).alertAddresses).toBe('public');
  expect(messagesOf({ ALERT_PRIVATE_ADDRESSES: 'on' }).alertAddresses).toBe('any');
  expect(() => messagesOf({ ALERT_PRIVATE_ADDRESSES: 'yes' })).toThrow('ALERT_PRIVATE_ADDRESSES');
});
