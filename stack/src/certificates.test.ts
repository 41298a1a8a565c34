import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkCertificateFiles, loadSelfSignedCertificate } from './certificates.ts';
import { OperatorError } from './operator-error.ts';

async function writePair(): Promise<{ dir: string; cert: string; key: string }> {
  const dir = await mkdtemp(path.join(tmpdir(), 'tongtu-certificate-'));
  const pem = await loadSelfSignedCertificate(path.join(dir, 'made'), { baseDomain: 'localhost', nowMs: Date.now() });
  const [cert, key] = [path.join(dir, 'c.pem'), path.join(dir, 'k.pem')];
  await writeFile(cert, pem.cert);
  await writeFile(key, pem.key);
  return { dir, cert, key };
}

test('a pair that fits and a folder that is there are no reason to stop', async () => {
  const { dir, cert, key } = await writePair();
  await checkCertificateFiles({ pairs: [{ cert, key }], folder: dir });
  await checkCertificateFiles({ pairs: [], folder: undefined });
});

test('files that are missing, no PEM, or no pair stop the start and are named', async () => {
  const { cert, key } = await writePair();
  const other = await writePair();
  const check = (pair: { cert: string; key: string }) => checkCertificateFiles({ pairs: [pair], folder: undefined });
  await expect(check({ cert, key: '/nowhere/k.pem' })).rejects.toThrow(
    new OperatorError('无法读取 HTTPS 私钥：/nowhere/k.pem'),
  );
  await expect(check({ cert: import.meta.filename, key })).rejects.toThrow(/证书 .*certificates\.test\.ts.*格式不正确/);
  await expect(check({ cert, key: other.key })).rejects.toThrow('不是一对');
});

test('a folder of certificates that is not there stops the start', async () => {
  await expect(checkCertificateFiles({ pairs: [], folder: '/nowhere/certs' })).rejects.toThrow(
    /TLS_CERTS_DIR.*\/nowhere/,
  );
});
