import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeCertificate } from '@tongtu/relay/testing/certificate';
import { expect, test } from 'vitest';
import { openCertificatesOnFile } from './certificates-on-file.ts';

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
