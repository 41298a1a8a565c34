import type { MappingFix } from '@tongtu/contract';
import { freePort } from '@tongtu/base/testing/free-port';
import { request } from '../support/clients/http-request.ts';
import { ChildGroup } from '../support/product/child-group.ts';
import { freshFolder } from '../support/product/product.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Visitor } from './visitor.ts';

/** A service that people run at home, and what they do there first. */
export type HomeService = {
  name: string;
  /** What to do where a program of it is missing; undefined: it is here. */
  missing?: string | undefined;
  start: () => Promise<RunningService>;
  /** Rejects if something of it does not work. */
  use: (visitor: Visitor) => Promise<void>;
  /** What the service refuses; undefined: it works. */
  troubleOf?: (sent: SentRequests) => Trouble | undefined;
};
/** What the service gets of its visitors. */
type SentRequests = { scheme: 'http' | 'https'; hasPort: boolean; host: 'keep' | 'rewrite' };
/** The settings that mend it, and a part of what the connection test says. */
export type Trouble = { fix: MappingFix; says: string };

/** The service knows itself by its own address alone. */
export const hostTrouble: Trouble = { fix: { host_header: 'rewrite' }, says: '只认自己的地址' };

export type RunningService = AsyncDisposable & { target: string };

const UP_WITHIN_MS = 60_000;

type Program = {
  program: string;
  /** Writes what the program reads, and returns its arguments. */
  prepare: (place: { folder: string; port: number }) => Promise<string[]> | string[];
  env?: (folder: string) => Record<string, string>;
  scheme?: 'http' | 'https';
};

/** Starts a program that serves http at a port of its own, in a folder of its own. */
export async function startService({ program, prepare, env, scheme = 'http' }: Program): Promise<RunningService> {
  const [folder, port] = [await freshFolder('home'), await freePort()];
  const args = await prepare({ folder, port });
  const child = new ChildGroup(program, args, { cwd: folder, env: { ...process.env, ...env?.(folder) } });
  try {
    await waitFor(`${program} answers`, UP_WITHIN_MS, async () => {
      if (child.exit) throw new Error(`it ended with code ${child.exit.code}:\n${child.output}`);
      return (await request({ port, path: '/' })).status > 0;
    });
  } catch (error) {
    await child.kill();
    throw new Error(child.output, { cause: error });
  }
  return {
    target: `${scheme}://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
