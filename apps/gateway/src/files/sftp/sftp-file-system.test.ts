import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { testByteNames } from '../testing/byte-names-suite.ts';
import { testFileSystem } from '../testing/file-system-suite.ts';
import { sftpSession } from '../testing/sftp-session.ts';
import { type Sshd, sshdProgram, startSshd } from '../../testing/start-sshd.ts';
import { openSftp } from './sftp-file-system.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'sftp-'));
let sshd: Sshd;
beforeAll(async () => {
  if (sshdProgram !== undefined) sshd = await startSshd(root);
});
afterAll(async () => {
  await sshd?.[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

testByteNames(
  'SFTP with OpenSSH',
  async () => {
    const folder = mkdtempSync(path.join(root, 'bytes-'));
    return { session: sftpSession(sshd), folder, path: folder, [Symbol.asyncDispose]: async () => {} };
  },
  { skip: sshdProgram === undefined },
);

testFileSystem(
  'SFTP with OpenSSH',
  async () => {
    const folder = mkdtempSync(path.join(root, 'files-'));
    mkdirSync(folder, { recursive: true });
    const fileSystem = await openSftp({ session: sftpSession(sshd), typed: {} });
    return { fileSystem, folder, [Symbol.asyncDispose]: async () => fileSystem.close() };
  },
  { skip: sshdProgram === undefined },
);
