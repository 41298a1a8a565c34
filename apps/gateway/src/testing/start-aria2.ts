import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@tongtu/base/testing/free-port';
import { findProgram } from './find-program.ts';
import { type RunningProgram, startProgram } from './start-program.ts';

export const aria2Program = findProgram('aria2c');

export type Aria2 = RunningProgram & {
  secret: string;
  /** Where it downloads to. */
  downloads: string;
};

/** aria2 with its own configuration in `folder`. It looks for no peers by itself. */
export async function startAria2(folder: string, settings: readonly string[] = []): Promise<Aria2> {
  if (aria2Program === undefined) throw new Error('aria2c is missing');
  const port = await freePort();
  const downloads = path.join(folder, 'downloads');
  mkdirSync(downloads, { recursive: true });
  const secret = '密钥 geheim';
  const configuration = path.join(folder, 'aria2.conf');
  writeFileSync(
    configuration,
    [
      'enable-rpc=true',
      `rpc-listen-port=${port}`,
      `rpc-secret=${secret}`,
      `dir=${downloads}`,
      'file-allocation=none',
      'enable-dht=false',
      'enable-dht6=false',
      'bt-enable-lpd=false',
      'quiet=true',
      ...settings,
    ].join('\n'),
  );
  const running = await startProgram(aria2Program, [`--conf-path=${configuration}`], { port });
  return { ...running, secret, downloads };
}
