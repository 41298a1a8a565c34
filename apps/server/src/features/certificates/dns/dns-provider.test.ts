import { freePort } from '@tongtu/base/testing/free-port';
import { expect, test } from 'vitest';
import { aliyunCredential, startFakeAliyunDns } from '../testing/fake-aliyun-dns.ts';
import { cloudflareToken, startFakeCloudflareDns } from '../testing/fake-cloudflare-dns.ts';
import { FakeZones } from '../testing/fake-dns-provider.ts';
import { startFakeTencentDns, tencentCredential } from '../testing/fake-tencent-dns.ts';
import { createDnsProvider, type DnsProvider } from './dns-provider.ts';
import type { DnsSettings } from './dns-settings.ts';

const { signal } = new AbortController();
const NAME = '_acme-challenge.home.example.com';

const aliyun = { provider: 'aliyun', ...aliyunCredential } as const;
const tencent = { provider: 'tencent', ...tencentCredential } as const;
const cloudflare = { provider: 'cloudflare', apiToken: cloudflareToken } as const;
const wrongKeys: DnsSettings[] = [
  { ...aliyun, accessKeySecret: 'wrong' },
  { ...tencent, secretKey: 'wrong' },
  { ...cloudflare, apiToken: 'wrong' },
];
const starters = { aliyun: startFakeAliyunDns, tencent: startFakeTencentDns, cloudflare: startFakeCloudflareDns };

type Account = AsyncDisposable & { provider: DnsProvider; zones: FakeZones };

async function openAccount(settings: DnsSettings, names: string[]): Promise<Account> {
  const zones = new FakeZones(names);
  const fake = await starters[settings.provider](zones);
  const provider = createDnsProvider({ ...settings, endpoint: fake.endpoint });
  return { provider, zones, [Symbol.asyncDispose]: async () => await fake[Symbol.asyncDispose]() };
}

for (const settings of [aliyun, tencent, cloudflare]) {
  const name = settings.provider;

  test(`${name}: records with several values coexist and are removed one by one`, async () => {
    await using account = await openAccount(settings, ['example.net', 'example.com']);
    const other = account.zones.add({ zone: 'example.com', host: 'www', type: 'TXT', value: 'one' });

    await account.provider.present(NAME, 'one', signal);
    await account.provider.present(NAME, 'two', signal);
    const place = { zone: 'example.com', host: '_acme-challenge.home', type: 'TXT' };
    expect(account.zones.records).toMatchObject([other, { ...place, value: 'one' }, { ...place, value: 'two' }]);

    await account.provider.remove(NAME, 'one', signal);
    expect(account.zones.records).toMatchObject([other, { ...place, value: 'two' }]);
  });

  test(`${name}: setting and removing a record are idempotent`, async () => {
    await using account = await openAccount(settings, ['example.com']);
    await account.provider.present(NAME, 'one', signal);
    await account.provider.present(NAME, 'one', signal);
    expect(account.zones.records).toHaveLength(1);
    await account.provider.remove(NAME, 'one', signal);
    await account.provider.remove(NAME, 'one', signal);
    expect(account.zones.records).toEqual([]);
  });

  test(`${name}: the record is added to the most specific zone of many`, async () => {
    const many = Array.from({ length: 1_200 }, (_, index) => `zone-${index}.example`);
    await using account = await openAccount(settings, [...many, 'example.com', 'home.example.com', 'ample.com']);
    await account.provider.present(NAME, 'one', signal);
    expect(account.zones.records).toMatchObject([{ zone: 'home.example.com', host: '_acme-challenge' }]);
  });

  test(`${name}: a name outside the account's zones is refused`, async () => {
    await using account = await openAccount(settings, ['example.net', 'xample.com']);
    await expect(account.provider.present(NAME, 'one', signal)).rejects.toMatchObject({
      problem: 'dns-zone-missing',
      message: `no zone for ${NAME}`,
    });
  });
}

test.for(wrongKeys)('$provider: a wrong key is reported with the provider’s message', async (settings) => {
  await using account = await openAccount(settings, ['example.com']);
  await expect(account.provider.present(NAME, 'one', signal)).rejects.toMatchObject({
    problem: 'dns-provider-refused',
    message: expect.stringMatching(/SignatureDoesNotMatch|SignatureFailure|Invalid access token/),
  });
  expect(account.zones.records).toEqual([]);
});

test('an unreachable provider is reported', async () => {
  const closed = await freePort();
  const provider = createDnsProvider({ ...aliyun, endpoint: `http://127.0.0.1:${closed}` });
  await expect(provider.present(NAME, 'one', signal)).rejects.toMatchObject({ problem: 'dns-provider-unreachable' });
});

test('an aborted call throws the reason of its signal', async () => {
  const closed = await freePort();
  const provider = createDnsProvider({ ...aliyun, endpoint: `http://127.0.0.1:${closed}` });
  const stopped = AbortSignal.abort(new Error('stopped'));
  await expect(provider.present(NAME, 'one', stopped)).rejects.toThrow('stopped');
});
