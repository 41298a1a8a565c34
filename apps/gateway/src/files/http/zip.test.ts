import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sftpSession } from '../testing/sftp-session.ts';
import { startFiles } from '../testing/start-files.ts';
import { type Sshd, sshdProgram, startSshd } from '../testing/start-sshd.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'zip-'));
let sshd: Sshd;
beforeAll(async () => {
  if (sshdProgram !== undefined) sshd = await startSshd(root);
});
afterAll(async () => {
  await sshd?.[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});
