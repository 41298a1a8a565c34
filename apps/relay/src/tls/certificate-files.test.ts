import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { makeCertificate } from '../testing/make-certificate.ts';
import { CertificateFiles } from './certificate-files.ts';
import type { KeyAndCert, CertificatePaths } from '../config/relay-config.ts';
import type { ServedCertificate } from './served-certificate.ts';

const makeFolder = () => mkdtemp(path.join(tmpdir(), 'tongtu-certificates-'));

async function writePair(folder: string, stem: string, { cert, key }: KeyAndCert, extension = 'crt'): Promise<void> {
  await writeFile(path.join(folder, `${stem}.${extension}`), cert);
  await writeFile(path.join(folder, `${stem}.key`), key);
}

/** What the files give at any time, and a way to wait for it and for what is logged. */
async function openFiles(paths: Partial<CertificatePaths>, pollMs = 60_000) {
  let current: ServedCertificate[] = [];
  const lines: string[] = [];
  let onEvent = () => {};
  const note = { write: (line: string) => (lines.push(line), onEvent()) };
  const files = new CertificateFiles({
    paths: { pairs: [], folder: undefined, ...paths },
    onChange: (certificates) => {
      current = certificates;
      onEvent();
    },
    log: pino({ level: 'warn' }, note),
    settleMs: 5,
    pollMs,
  });
  onTestFinished(() => files[Symbol.dispose]());
  await files.start();
  return {
    names: () => current.flatMap((certificate) => certificate.names),
    certificates: () => current,
    lines,
    async until(condition: () => boolean) {
      while (!condition()) await new Promise<void>((resolve) => (onEvent = resolve));
    },
  };
}

test('pairs and a folder are read at the start, with both file extensions', async () => {
  const folder = await makeFolder();
  const other = await makeFolder();
  await writePair(folder, 'a', await makeCertificate({ names: ['a.example'] }));
  await writePair(folder, 'b', await makeCertificate({ names: ['b.example'] }), 'pem');
  await writePair(other, 'c', await makeCertificate({ names: ['c.example'] }));
  await writeFile(path.join(folder, 'README'), 'not a certificate');
  const pairs = [{ cert: path.join(other, 'c.crt'), key: path.join(other, 'c.key') }];
  const files = await openFiles({ folder, pairs });
  expect(files.names().toSorted()).toEqual(['a.example', 'b.example', 'c.example']);
  expect(files.lines).toEqual([]);
});

test('a configured pair stays complete when the folder holds one of its files', async () => {
  const [folder, other] = [await makeFolder(), await makeFolder()];
  const { cert, key } = await makeCertificate({ names: ['a.example'] });
  const pair = { cert: path.join(other, 'chain.pem'), key: path.join(folder, 'a.key') };
  await writeFile(pair.cert, cert);
  await writeFile(pair.key, key);
  await writePair(folder, 'b', await makeCertificate({ names: ['b.example'] }));
  const files = await openFiles({ folder: `${folder}/.`, pairs: [pair] }, 5);
  expect(files.names()).toEqual(['a.example', 'b.example']);
  expect(files.lines).toEqual([]);
  // Also when it is read again.
  const renewed = await makeCertificate({ names: ['a.example', 'www.a.example'] });
  await writeFile(pair.key, renewed.key);
  await writeFile(pair.cert, renewed.cert);
  await files.until(() => files.names().includes('www.a.example'));
});

test('a pair that is added, renewed or removed takes effect without a restart', async () => {
  const folder = await makeFolder();
  const files = await openFiles({ folder });
  await writePair(folder, 'a', await makeCertificate({ names: ['a.example'] }));
  await files.until(() => files.names().includes('a.example'));

  const [before] = files.certificates();
  await writePair(folder, 'a', await makeCertificate({ names: ['a.example'] }));
  await files.until(() => files.certificates()[0] !== before);
  expect(files.names()).toEqual(['a.example']);

  await rm(path.join(folder, 'a.crt'));
  await rm(path.join(folder, 'a.key'));
  await files.until(() => files.names().length === 0);
});

test('a half-written pair is logged in one line, and the certificate before stays until the pair is complete', async () => {
  const folder = await makeFolder();
  await writePair(folder, 'a', await makeCertificate({ names: ['a.example'] }));
  const files = await openFiles({ folder }, 10);
  const renewed = await makeCertificate({ names: ['a.example', 'www.a.example'] });
  // Put there in one step: a file that is seen while it is being written is another one, with a line of its own.
  await writeFile(`${folder}.crt`, renewed.cert);
  await rename(`${folder}.crt`, path.join(folder, 'a.crt'));
  await files.until(() => files.lines.length > 0);
  // Another pair is added, so that the broken one is read again.
  await writePair(folder, 'b', await makeCertificate({ names: ['b.example'] }));
  await files.until(() => files.names().includes('b.example'));
  expect(files.names().toSorted()).toEqual(['a.example', 'b.example']);
  expect(files.lines.filter((line) => line.includes('a.crt'))).toHaveLength(1);
  expect(JSON.parse(files.lines[0] ?? '')).toMatchObject({ msg: 'a certificate is not used, the one before stays' });

  await writeFile(path.join(folder, 'a.key'), renewed.key);
  await files.until(() => files.names().includes('www.a.example'));
});

test('garbage and keys without a certificate are logged, and the other pairs are used', async () => {
  const folder = await makeFolder();
  await writePair(folder, 'a', await makeCertificate({ names: ['a.example'] }));
  await writePair(folder, 'broken', { cert: 'garbage', key: 'garbage' });
  await writeFile(path.join(folder, 'lonely.key'), 'garbage');
  const files = await openFiles({ folder });
  expect(files.names()).toEqual(['a.example']);
  expect(files.lines).toHaveLength(2);
});

test('a symlink that is pointed at another version is followed, as certbot and Kubernetes do it', async () => {
  const [live, first, second] = [await makeFolder(), await makeFolder(), await makeFolder()];
  await writePair(first, 'a', await makeCertificate({ names: ['first.example'] }));
  await writePair(second, 'a', await makeCertificate({ names: ['second.example'] }));
  const point = async (file: string, target: string) => {
    await symlink(path.join(target, file), path.join(live, `${file}.next`));
    await rename(path.join(live, `${file}.next`), path.join(live, file));
  };
  for (const file of ['a.crt', 'a.key']) await point(file, first);
  const files = await openFiles({ pairs: [{ cert: path.join(live, 'a.crt'), key: path.join(live, 'a.key') }] });
  expect(files.names()).toEqual(['first.example']);
  for (const file of ['a.crt', 'a.key']) await point(file, second);
  await files.until(() => files.names().includes('second.example'));
});

test('when a folder vanishes its certificates stay in use, and one line is logged', async () => {
  const folder = await makeFolder();
  await writePair(folder, 'a', await makeCertificate({ names: ['a.example'] }));
  const files = await openFiles({ folder }, 10);
  await rename(folder, `${folder}-away`);
  await files.until(() => files.lines.some((line) => line.includes('cannot be read')));
  expect(files.names()).toEqual(['a.example']);

  await writePair(`${folder}-away`, 'b', await makeCertificate({ names: ['b.example'] }));
  await rename(`${folder}-away`, folder);
  await files.until(() => files.names().includes('b.example'));
  expect(files.lines.filter((line) => line.includes('cannot be read'))).toHaveLength(1);
});
