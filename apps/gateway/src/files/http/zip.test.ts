import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readZip } from '../testing/read-zip.ts';
import { sftpSession } from '../testing/sftp-session.ts';
import { problemOf, startFiles } from '../testing/start-files.ts';
import { type Sshd, sshdProgram, startSshd } from '../../testing/start-sshd.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'zip-'));
let sshd: Sshd;
beforeAll(async () => {
  if (sshdProgram !== undefined) sshd = await startSshd(root);
});
afterAll(async () => {
  await sshd?.[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

describe.skipIf(sshdProgram === undefined)('a zip', () => {
  test('has the files and folders, and names what could not be read', async () => {
    const folder = mkdtempSync(path.join(root, 'case-'));
    const at = (name: string): string => path.join(folder, name);
    mkdirSync(at('相册/空'), { recursive: true });
    const bytes = randomBytes(2_000_000);
    writeFileSync(at('相册/照片.jpg'), bytes);
    writeFileSync(at('相册/back\\slash'), 'x');
    writeFileSync(at('单独.txt'), 'text');
    symlinkSync('照片.jpg', at('相册/link'));
    symlinkSync('.', at('相册/circle'));
    symlinkSync('nowhere', at('相册/broken'));
    execFileSync('mkfifo', [at('相册/pipe')]);
    await using client = await startFiles(sftpSession(sshd));
    const reply = await client.get('zip', { paths: JSON.stringify([at('相册'), at('单独.txt')]), name: '下载' });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-disposition')).toContain("filename*=UTF-8''%E4%B8%8B%E8%BD%BD.zip");
    const files = readZip(Buffer.from(await reply.arrayBuffer()));
    expect([...files.keys()].sort()).toEqual(
      ['相册/', '相册/空/', '相册/照片.jpg', '相册/link', '相册/back_slash', '单独.txt', '未能下载.txt'].sort(),
    );
    expect(files.get('相册/照片.jpg')?.equals(bytes)).toBe(true);
    expect(files.get('相册/link')?.equals(bytes)).toBe(true);
    const report = files.get('未能下载.txt')?.toString().trimEnd().split('\r\n').sort() ?? [];
    expect(report.map((line) => line.split('\t')[0])).toEqual(
      ['broken', 'circle', 'pipe'].map((name) => at(`相册/${name}`)),
    );
    expect(report[0]).toContain('没有这个文件');
  });

  test('of what is not there is an error, not a zip', async () => {
    await using client = await startFiles(sftpSession(sshd));
    const reply = await client.get('zip', { paths: JSON.stringify([`${root}/none`]) });
    expect(await problemOf(reply)).toMatchObject({ replyStatus: 404, code: 'files.not-found' });
    expect((await problemOf(await client.get('zip', { paths: 'none' }))).code).toBe('request.invalid');
  });
});
