import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { LanLink } from './lan-link.ts';

/** Where Debian's avahi-daemon puts it. */
const AVAHI = '/usr/sbin/avahi-daemon';

export const hasAvahi = existsSync(AVAHI);

/** Announces a service of the other host of the LAN by Avahi. Resolves when it is announced. */
export async function startAvahi(
  { namespace, far }: LanLink,
  service: { name: string; type: string; port: number },
): Promise<AsyncDisposable> {
  const folder = mkdtempSync(path.join(tmpdir(), 'avahi-'));
  const services = path.join(folder, 'services');
  mkdirSync(services);
  writeFileSync(path.join(services, 'test.service'), serviceFile(service));
  const config = path.join(folder, 'avahi-daemon.conf');
  writeFileSync(config, `[server]\nhost-name=nas\nallow-interfaces=${far}\nuse-ipv6=no\nenable-dbus=no\n`);
  // It looks for services and leaves its pid in fixed places. What `ip netns exec` runs has mounts of its own.
  const script = [
    'mount -t tmpfs none /run',
    `mount --bind '${services}' /etc/avahi/services`,
    `exec ${AVAHI} --no-drop-root --no-chroot --no-rlimits -f '${config}'`,
  ].join(' && ');
  const child = spawn('ip', ['netns', 'exec', namespace, 'sh', '-c', script], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true });
  };
  let log = '';
  for await (const line of createInterface(child.stderr)) {
    log += `${line}\n`;
    if (line.includes('successfully established')) {
      child.stderr.resume();
      return { [Symbol.asyncDispose]: stop };
    }
  }
  await stop();
  throw new Error(`avahi-daemon has ended:\n${log}`);
}

function serviceFile({ name, type, port }: { name: string; type: string; port: number }): string {
  return `<?xml version="1.0" standalone="no"?><!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<service-group><name>${name}</name><service><type>${type}</type><port>${port}</port></service></service-group>
`;
}
