import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeCertificate } from '@tongtu/relay/testing/certificate';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openCertificatesOnFile } from './certificates-on-file.ts';
import { describeHttpsNameProblem, findHttpsNameProblems, logHttpsNameProblems } from './check-https-names.ts';

const DAY_MS = 86_400_000;

async function writePairs(pairs: Record<string, Parameters<typeof makeCertificate>[0]>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tongtu-on-file-'));
  for (const [stem, parts] of Object.entries(pairs)) {
    const { cert, key } = await makeCertificate(parts);
    await writeFile(path.join(folder, `${stem}.crt`), cert);
    await writeFile(path.join(folder, `${stem}.key`), key);
  }
  return folder;
}

test('a name is covered by a valid certificate of an authority, for the name itself or by wildcard', async () => {
  const authority = 'Some Authority';
  const folder = await writePairs({
    level: { names: ['example.com', '*.example.com'], authority },
    own: { names: ['home.example.net'], authority },
    ended: { names: ['ended.example.net'], authority, notAfterMs: Date.now() - DAY_MS / 2 },
    unsigned: { names: ['self.example.net'] },
  });
  using files = await openCertificatesOnFile({ pairs: [], folder }, Date.now);

  for (const host of ['example.com', 'nas.example.com', 'home.example.net']) expect(files.cover(host)).toBe(true);
  for (const host of ['a.nas.example.com', 'example.net', 'tv.example.net', 'ended.example.net', 'self.example.net'])
    expect(files.cover(host)).toBe(false);
});

test('a pair given by path covers its names like one of the folder; without files no name is covered', async () => {
  const folder = await writePairs({ own: { names: ['home.example.net'], authority: 'Some Authority' } });
  const pairs = [{ cert: path.join(folder, 'own.crt'), key: path.join(folder, 'own.key') }];
  using named = await openCertificatesOnFile({ pairs, folder: undefined }, Date.now);
  using none = await openCertificatesOnFile({ pairs: [], folder: undefined }, Date.now);

  expect([named.cover('home.example.net'), none.cover('home.example.net')]).toEqual([true, false]);
});

const installation = {
  publicUrl: 'https://example.com',
  baseDomain: 'example.com',
  trustedProxies: [],
  acme: undefined,
};
const acme = { directoryUrl: '', email: '', externalAccount: undefined, resolvers: [], ordersConsole: true };
const dns = { provider: 'cloudflare', apiToken: '' } as const;

test('names of an https installation without a good certificate on file are found and described', async () => {
  const authority = 'Some Authority';
  const wallClockMs = Date.parse('2026-11-27T00:00:00Z');
  const day = (count: number) => wallClockMs + count * DAY_MS;
  const describeWith = async (parts: Parameters<typeof makeCertificate>[0], config: object = {}) => {
    using files = await openCertificatesOnFile(
      { pairs: [], folder: await writePairs({ a: parts }) },
      () => wallClockMs,
    );
    return findHttpsNameProblems({ ...installation, ...config }, files).map(describeHttpsNameProblem);
  };
  const both = ['example.com', '*.example.com'];
  const lifetime = { authority, notBeforeMs: day(-76), notAfterMs: day(14) };

  expect(await describeWith({ ...lifetime, names: both, notAfterMs: day(15) })).toEqual([]);
  expect(await describeWith({ ...lifetime, names: both, notBeforeMs: day(-4), notAfterMs: day(2) })).toEqual([]);
  expect(await describeWith({ ...lifetime, names: both, notAfterMs: day(13) })).toEqual(
    both.map((name) => `提醒：${name} 的 HTTPS 证书将于 2026-12-10 过期，请更换`),
  );
  expect((await describeWith({ ...lifetime, names: both, notAfterMs: day(-1) }))[0]).toContain('已于 2026-11-26 过期');
  expect((await describeWith({ ...lifetime, names: both, notBeforeMs: day(1) }))[0]).toContain(
    '从 2026-11-28 起才有效',
  );
  expect((await describeWith({ names: both, notBeforeMs: day(-1), notAfterMs: day(99) }))[0]).toContain('是自签名的');

  const consoleAlone = { ...lifetime, names: ['example.com'], notAfterMs: day(99) };
  const noWildcard = [expect.stringMatching(/没有 \*\.example\.com 的 HTTPS 证书.*ACME_DNS/)];
  expect(await describeWith(consoleAlone)).toEqual(noWildcard);
  const other = { ...consoleAlone, names: ['old.example.net'] };
  expect(await describeWith(other, { acme: { ...acme, dns: undefined } })).toEqual(noWildcard);
  expect(await describeWith(other)).toHaveLength(2);
  const without = [{ publicUrl: 'http://example.com' }, { trustedProxies: ['10.0.0.1'] }, { acme: { ...acme, dns } }];
  for (const config of without) expect(await describeWith(other, config)).toEqual([]);
  expect(await describeWith(other, { publicUrl: 'https://[::1]', baseDomain: 'localhost' })).toEqual([]);
});

test('a name without a good certificate is logged at the start and every day', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const find = () => [{ name: 'example.com', hint: '', type: 'expired', atMs: 0 } as const];
  const reports = logHttpsNameProblems(find, pino({ level: 'warn' }, { write: (line) => void lines.push(line) }));
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { host: 'example.com', problem: 'expired', at: '1970-01-01T00:00:00.000Z' },
  ]);
  vi.advanceTimersByTime(DAY_MS);
  expect(lines).toHaveLength(2);
  reports[Symbol.dispose]();
  vi.advanceTimersByTime(DAY_MS);
  expect(lines).toHaveLength(2);
});
