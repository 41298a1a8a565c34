import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { OperatorError } from '../operator-error.ts';

const on = { ACME: 'on', BASE_DOMAIN: 'example.com' };
const aliyun = { ACME_DNS: 'aliyun', ALIYUN_ACCESS_KEY_ID: 'id', ALIYUN_ACCESS_KEY_SECRET: 'secret' };

test('without ACME nothing is ordered', () => {
  expect(readConfig({ BASE_DOMAIN: 'example.com' }, []).acme).toBeUndefined();
});

test('ACME alone orders from Let’s Encrypt by HTTP-01', () => {
  expect(readConfig(on, []).acme).toEqual({
    directoryUrl: 'https://acme-v02.api.letsencrypt.org/directory',
    email: '',
    externalAccount: undefined,
    dns: undefined,
    resolvers: [],
    ordersConsole: true,
  });
});

test('each DNS provider brings its own keys', () => {
  expect(readConfig({ ...on, ...aliyun }, []).acme?.dns).toEqual({
    provider: 'aliyun',
    accessKeyId: 'id',
    accessKeySecret: 'secret',
  });
  const tencent = { ACME_DNS: 'tencent', TENCENTCLOUD_SECRET_ID: 'id', TENCENTCLOUD_SECRET_KEY: 'key' };
  expect(readConfig({ ...on, ...tencent }, []).acme?.dns).toEqual({
    provider: 'tencent',
    secretId: 'id',
    secretKey: 'key',
  });
  const cloudflare = { ACME_DNS: 'cloudflare', CLOUDFLARE_API_TOKEN: 'token' };
  expect(readConfig({ ...on, ...cloudflare }, []).acme?.dns).toEqual({ provider: 'cloudflare', apiToken: 'token' });
});

test('with the operator’s own certificate only the domains of users are ordered', () => {
  const own = { TLS_CERT_FILE: '/c.pem', TLS_KEY_FILE: '/k.pem' };
  expect(readConfig({ ...on, ...own }, []).acme?.ordersConsole).toBe(false);
});

test.for([
  [{ ACME: 'on' }, /BASE_DOMAIN.*localhost/],
  [{ ACME: 'on', BASE_DOMAIN: 'nas' }, /BASE_DOMAIN.*nas/],
  [{ ACME: 'on', BASE_DOMAIN: 'tongtu.localhost' }, /BASE_DOMAIN/],
  [{ ACME: 'yes', BASE_DOMAIN: 'example.com' }, /ACME：/],
  [{ ...on, ACME_DNS: 'route53' }, /ACME_DNS：/],
  [{ ...on, ACME_DNS: 'aliyun' }, /ALIYUN_ACCESS_KEY_ID/],
  [{ ...on, ACME_DNS: 'aliyun', ALIYUN_ACCESS_KEY_ID: 'id' }, /ALIYUN_ACCESS_KEY_SECRET/],
  [{ ...on, ACME_DNS: 'tencent', TENCENTCLOUD_SECRET_ID: 'id' }, /TENCENTCLOUD_SECRET_KEY/],
  [{ ...on, ACME_DNS: 'cloudflare' }, /CLOUDFLARE_API_TOKEN/],
  [{ BASE_DOMAIN: 'example.com', ...aliyun }, /ACME=on/],
  [{ ...on, ...aliyun, TLS_CERT_FILE: '/c.pem', TLS_KEY_FILE: '/k.pem' }, /TLS_CERT_FILE 和 ACME_DNS/],
  [{ ...on, ACME_EAB_KID: 'kid' }, /ACME_EAB_HMAC_KEY/],
  [{ ...on, ACME_EAB_KID: 'kid', ACME_EAB_HMAC_KEY: 'a+b/c' }, /ACME_EAB_HMAC_KEY：必须是 base64url/],
  [{ ...on, ACME_DIRECTORY_URL: 'http://ca.example/dir' }, /ACME_DIRECTORY_URL/],
  [{ ...on, ACME_EMAIL: 'nobody' }, /ACME_EMAIL/],
  [{ ...on, ACME_RESOLVERS: 'dns.example.com' }, /ACME_RESOLVERS/],
  [{ ...on, ACME_RESOLVERS: '1.1.1.1:99999' }, /ACME_RESOLVERS/],
] as const)('settings that contradict each other stop the start: %j', ([environment, message]) => {
  expect(() => readConfig(environment, [])).toThrow(OperatorError);
  expect(() => readConfig(environment, [])).toThrow(message);
});

test('resolvers are addresses with or without a port', () => {
  const resolvers = '223.5.5.5, 127.0.0.1:5353 2400:3200::1,[::1]:53';
  expect(readConfig({ ...on, ACME_RESOLVERS: resolvers }, []).acme?.resolvers).toEqual([
    '223.5.5.5',
    '127.0.0.1:5353',
    '2400:3200::1',
    '[::1]:53',
  ]);
});
