import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkCertificateFiles, loadSelfSignedCertificate } from './certificates.ts';
import { OperatorError } from './operator-error.ts';

async function writePair(): Promise<{ dir: string; cert: string; key: string }> {
  const dir = await mkdtemp(path.join(tmpdir(), 'tongtu-certificate-'));
  const pem = await loadSelfSignedCertificate(path.join(dir, 'made'), {
    baseDomain: 'localhost',
    wallClockMs: Date.now(),
  });
  const [cert, key] = [path.join(dir, 'c.pem'), path.join(dir, 'k.pem')];
  await writeFile(cert, pem.cert);
  await writeFile(key, pem.key);
  return { dir, cert, key };
}

test('a valid pair and an existing folder are accepted', async () => {
  const { dir, cert, key } = await writePair();
  await checkCertificateFiles({ pairs: [{ cert, key }], folder: dir });
  await checkCertificateFiles({ pairs: [], folder: undefined });
});

test('a missing file, a file that is not PEM, and a mismatched pair are named and stop the start', async () => {
  const { cert, key } = await writePair();
  const other = await writePair();
  const check = (pair: { cert: string; key: string }) => checkCertificateFiles({ pairs: [pair], folder: undefined });
  await expect(check({ cert, key: '/nowhere/k.pem' })).rejects.toThrow(
    new OperatorError('无法读取 TLS_KEY_FILE 指定的 /nowhere/k.pem：没有这个文件或目录。请检查路径'),
  );
  await expect(check({ cert: import.meta.dirname, key })).rejects.toThrow('它是一个目录。请写明其中的文件');
  await expect(check({ cert: import.meta.filename, key })).rejects.toThrow(/证书 .*certificates\.test\.ts.*格式不正确/);
  await expect(check({ cert, key: other.key })).rejects.toThrow('不是一对');
});

test('a missing certificate folder stops the start', async () => {
  await expect(checkCertificateFiles({ pairs: [], folder: '/nowhere/certs' })).rejects.toThrow(
    /TLS_CERTS_DIR.*\/nowhere/,
  );
});
