import { expect, test } from 'vitest';
import { aliyunQuery, signAliyunRequest } from './aliyun-signature.ts';
import { sha256Hex } from './sha256-hex.ts';

test('the signature equals the example in Alibaba Cloud’s documentation of signature V3', () => {
  const query = { ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd', RegionId: 'cn-shanghai' };
  const headers = {
    host: 'ecs.cn-shanghai.aliyuncs.com',
    'x-acs-action': 'RunInstances',
    'x-acs-content-sha256': sha256Hex(''),
    'x-acs-date': '2023-10-26T10:22:32Z',
    'x-acs-signature-nonce': '3156853299f313e23d1673dc12e1703d',
    'x-acs-version': '2014-05-26',
  };
  const credential = { accessKeyId: 'YourAccessKeyId', accessKeySecret: 'YourAccessKeySecret' };
  expect(signAliyunRequest({ method: 'POST', path: '/', query, headers, body: '' }, credential)).toBe(
    'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,' +
      'SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,' +
      'Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
  );
});

test('parameters are sorted and encoded by RFC 3986', () => {
  expect(aliyunQuery({ b: "a+b *'()!~/", a: '中' })).toBe('a=%E4%B8%AD&b=a%2Bb%20%2A%27%28%29%21~%2F');
});
