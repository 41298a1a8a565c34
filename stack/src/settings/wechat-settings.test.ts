import { expect, test } from 'vitest';
import { z } from 'zod';
import { readWechat, wechatVariables } from './wechat-settings.ts';

function read(env: Record<string, string>, nodeEnv?: string) {
  return readWechat(z.object(wechatVariables).parse(env), { nodeEnv, publicUrl: undefined });
}

const keys = { WECHAT_APP_ID: 'wx0123456789abcdef', WECHAT_APP_SECRET: 'secret' };

test('without keys nobody logs in by WeChat, in production and by default', () => {
  expect(read({})).toBeUndefined();
  expect(read({}, 'production')).toBeUndefined();
});

test('development uses the fake WeChat, unless keys are set', () => {
  expect(read({}, 'development')).toEqual({ type: 'fake' });
  expect(read({ WECHAT_FAKE: 'on' })).toEqual({ type: 'fake' });
  expect(read({ WECHAT_FAKE: 'off' }, 'development')).toBeUndefined();
  expect(read(keys, 'development')).toMatchObject({ type: 'app' });
});

test('the fake WeChat is refused in production', () => {
  expect(() => read({ WECHAT_FAKE: 'on' }, 'production')).toThrow('WECHAT_FAKE');
});

test('keys select WeChat itself, or a proxy before it', () => {
  expect(read(keys, 'production')).toEqual({
    type: 'app',
    appId: 'wx0123456789abcdef',
    appSecret: 'secret',
    openUrl: 'https://open.weixin.qq.com',
    apiUrl: 'https://api.weixin.qq.com',
  });
  expect(read({ ...keys, WECHAT_API_URL: 'https://proxy.example.com/' })).toMatchObject({
    apiUrl: 'https://proxy.example.com',
  });
});

test('an AppID without its secret, or the reverse, stops the start', () => {
  expect(() => read({ WECHAT_APP_ID: 'wx1' })).toThrow('WECHAT_APP_SECRET');
  expect(() => read({ WECHAT_APP_SECRET: 'x' })).toThrow('WECHAT_APP_ID');
});

const otherHost = { SSO_URL: 'https://sso.example.com/sso/', SSO_SECRET: '0123456789abcdef' };

test('another single sign-on host replaces ours and the fake WeChat', () => {
  const expected = { type: 'other-host', url: 'https://sso.example.com/sso', secret: otherHost.SSO_SECRET };
  expect(read(otherHost, 'production')).toEqual(expected);
  expect(read(otherHost, 'development')).toEqual(expected);
});

test.each(['https://user:pw@sso.example.com/sso', 'https://sso.example.com/sso?x=1', 'https://sso.example.com/#sso'])(
  'the address %s of another host stops the start',
  (SSO_URL) => {
    expect(() => read({ ...otherHost, SSO_URL })).toThrow('不能含有账号、密码');
  },
);

test.each(['https://sso,example.com', 'https://sso;example.com/', 'sso.example.com'])(
  'the address %s, which no browser could be allowed, stops the start',
  (SSO_URL) => {
    expect(() => read({ ...otherHost, SSO_URL })).toThrow('必须是 http:// 或 https:// 开头的地址');
  },
);

test('another host without its secret, or beside keys of our own, stops the start', () => {
  expect(() => read({ SSO_URL: otherHost.SSO_URL })).toThrow('SSO_SECRET');
  expect(() => read({ SSO_SECRET: otherHost.SSO_SECRET })).toThrow('SSO_URL');
  expect(() => read({ ...otherHost, ...keys })).toThrow('WECHAT_APP_ID');
});
