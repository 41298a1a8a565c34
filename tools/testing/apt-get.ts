import { spawn } from 'node:child_process';
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
    const updated = await aptGet(['update']);
    const installed = updated.ok ? await aptGet(['install', '-y', '--no-install-recommends', ...packages]) : updated;
    if (installed.ok) return;
    failure = installed.output;
  }
  throw new Error(`apt-get could not install ${packages.join(' ')}:\n${failure}`);
}

function aptGet(args: readonly string[]): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn('apt-get', [...APT_OPTIONS, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', (error) => resolve({ ok: false, output: error.message }));
    child.once('close', (status) => resolve({ ok: status === 0, output }));
  });
}
