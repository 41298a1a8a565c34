import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@tongtu/base/testing/free-port';
import { md4 } from '../files/smb/crypto/md4.ts';
import { findProgram } from './find-program.ts';
import { startProgram } from './start-program.ts';

/** Of Debian's freerdp2-shadow-x11. */
export const shadowProgram = findProgram('freerdp-shadow-cli');

export type ShadowServer = AsyncDisposable & { port: number };

/** A real RDP server that lets only those in who log in by NLA (CredSSP), as Windows does. It shows an X display. */
export async function startShadowServer(
  display: string,
  { username, password }: { username: string; password: string },
): Promise<ShadowServer> {
  if (shadowProgram === undefined) throw new Error('freerdp-shadow-cli is missing');
  const folder = mkdtempSync(path.join(tmpdir(), 'shadow-'));
  const accounts = path.join(folder, 'SAM');
  const hash = md4(Buffer.from(password, 'utf16le')).toString('hex');
  writeFileSync(accounts, `${username}:::${hash}:::\n`);
  const port = await freePort();
  const args = [`/port:${port}`, '/bind-address:127.0.0.1', '/sec:nla', `/sam-file:${accounts}`];
  // It keeps the certificate that it makes in the home folder.
  const running = await startProgram(shadowProgram, args, { port, env: { DISPLAY: `:${display}`, HOME: folder } });
  return {
    port,
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}
