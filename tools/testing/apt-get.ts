import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram, type Machine } from './system-requirements.ts';

const ATTEMPTS = 3;
const RETRY_AFTER_MS = 5000;
// The lock may be held by the machine's own updates; a mirror may answer late.
const APT_OPTIONS = [
  '-qq',
  '-o',
  'DPkg::Lock::Timeout=120',
  '-o',
  'Acquire::Retries=3',
  '-o',
  'Acquire::http::Timeout=60',
];

export function canInstall(machine: Machine): boolean {
  return process.getuid?.() === 0 && findProgram(machine, 'apt-get') !== undefined;
}

/** Installs Debian packages without asking anything; throws with apt's own words when all attempts fail. */
export async function installPackages(packages: readonly string[], { attempts = ATTEMPTS } = {}): Promise<void> {
  let failure = '';
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) await sleep(RETRY_AFTER_MS);
    const updated = aptGet(['update']);
    const installed = updated.ok ? aptGet(['install', '-y', '--no-install-recommends', ...packages]) : updated;
    if (installed.ok) return;
    failure = installed.output;
  }
  throw new Error(`apt-get could not install ${packages.join(' ')}:\n${failure}`);
}

function aptGet(args: readonly string[]): { ok: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync('apt-get', [...APT_OPTIONS, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return { ok: status === 0, output: `${stdout}${stderr}` };
}
