import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

export type Requirement = { what: string; debianPackage: string; isMet: (machine: Machine) => boolean };

/** What the tests need of the machine beyond npm packages, and how to look for it. */
export type Machine = {
  env: Readonly<Record<string, string | undefined>>;
  isExecutable: (file: string) => boolean;
  /** What a command prints; undefined when it cannot be run. */
  read: (command: string, args: readonly string[]) => string | undefined;
};

export const thisMachine: Machine = {
  env: process.env,
  isExecutable(file) {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false; // absent or closed: both mean it cannot be used
    }
  },
  read(command, args) {
    const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return status === 0 ? stdout : undefined;
  },
};

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const HEADLESS_NAME = 'chromium-headless-shell';
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin']; // not on every user's PATH, but where Debian puts nginx

/** The browser as people have it: `CHROMIUM=` when set, else the first one found. */
export function findChromium(machine: Machine): string | undefined {
  const chosen = machine.env['CHROMIUM'];
  if (chosen) return machine.isExecutable(chosen) ? chosen : undefined;
  return CHROMIUM_NAMES.map((name) => findProgram(machine, name)).find((file) => file !== undefined);
}

/** Chromium without the window around the page, which takes half the time; where there is none, the browser as it is. */
export function findHeadlessChromium(machine: Machine): string | undefined {
  if (machine.env['CHROMIUM']) return findChromium(machine);
  return findProgram(machine, HEADLESS_NAME) ?? findChromium(machine);
}

export function findProgram(machine: Machine, name: string): string | undefined {
  const folders = [...(machine.env['PATH'] ?? '').split(path.delimiter), ...SYSTEM_FOLDERS];
  return folders
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .find((file) => machine.isExecutable(file));
}

const systemRequirements: readonly Requirement[] = [
  { what: 'curl', debianPackage: 'curl', isMet: (machine) => findProgram(machine, 'curl') !== undefined },
];

const browserRequirements: readonly Requirement[] = [
  { what: 'Chromium', debianPackage: 'chromium', isMet: (machine) => findChromium(machine) !== undefined },
  { what: 'nginx', debianPackage: 'nginx-light', isMet: (machine) => findProgram(machine, 'nginx') !== undefined },
  {
    what: 'a Chinese font',
    debianPackage: 'fonts-noto-cjk',
    isMet: (machine) => (machine.read('fc-list', [':lang=zh-cn', 'family']) ?? '').trim() !== '',
  },
];

/** No program of a PATH. */
export const cockpitProgram = '/usr/lib/cockpit/cockpit-ws';

export type Option = Requirement & { without: string };

const options: readonly Option[] = [
  {
    what: 'Pebble',
    debianPackage: 'pebble',
    isMet: (machine) => findProgram(machine, 'pebble') !== undefined,
    without: 'its tests are skipped',
  },
  ...[
    { what: 'OpenSSH', debianPackage: 'openssh-server', program: 'sshd' },
    { what: 'a Telnet server', debianPackage: 'inetutils-telnetd', program: 'telnetd' },
    { what: 'Samba', debianPackage: 'samba', program: 'smbd' },
    { what: 'Apache', debianPackage: 'apache2', program: 'apache2' },
    { what: 'aria2', debianPackage: 'aria2', program: 'aria2c' },
    { what: 'a VNC server', debianPackage: 'tigervnc-standalone-server', program: 'Xtigervnc' },
    { what: 'passwords for VNC servers', debianPackage: 'tigervnc-tools', program: 'tigervncpasswd' },
    { what: 'an RDP server', debianPackage: 'xrdp', program: 'xrdp' },
    { what: 'an RDP server with NLA', debianPackage: 'freerdp2-shadow-x11', program: 'freerdp-shadow-cli' },
    { what: 'a terminal for X', debianPackage: 'xterm', program: 'xterm' },
  ].map(({ program, ...peer }) => ({
    ...peer,
    isMet: (machine: Machine) => findProgram(machine, program) !== undefined,
    without: 'the tests of cloud apps with it are skipped',
  })),
  ...[
    { what: 'qBittorrent', debianPackage: 'qbittorrent-nox', program: 'qbittorrent-nox' },
    { what: 'Transmission', debianPackage: 'transmission-daemon', program: 'transmission-daemon' },
    { what: 'Docker Registry', debianPackage: 'docker-registry', program: 'docker-registry' },
    { what: 'Cockpit', debianPackage: 'cockpit-ws', program: cockpitProgram },
    { what: 'Jupyter', debianPackage: 'jupyter-server', program: 'jupyter-server' },
  ].map(({ program, ...peer }) => ({
    ...peer,
    isMet: (machine: Machine) => machine.isExecutable(program) || findProgram(machine, program) !== undefined,
    without: 'the tests of home services with it are skipped',
  })),
  {
    what: 'Avahi',
    debianPackage: 'avahi-daemon',
    isMet: (machine) => findProgram(machine, 'avahi-daemon') !== undefined,
    without: 'LAN discovery is tested without it',
  },
];

const browserOptions: readonly Option[] = [
  {
    what: 'Chromium without a window',
    debianPackage: HEADLESS_NAME,
    isMet: (machine) => Boolean(machine.env['CHROMIUM']) || findProgram(machine, HEADLESS_NAME) !== undefined,
    without: 'the browser tests take longer',
  },
];

export function missingOptions(machine: Machine, { withBrowser }: { withBrowser: boolean }): Option[] {
  return (withBrowser ? [...options, ...browserOptions] : options).filter((option) => !option.isMet(machine));
}

export function missingRequirements(machine: Machine, { withBrowser }: { withBrowser: boolean }): Requirement[] {
  const wanted = withBrowser ? [...systemRequirements, ...browserRequirements] : systemRequirements;
  return wanted.filter((requirement) => !requirement.isMet(machine));
}

/** What a person has to do where the packages cannot be installed for them. */
export function howToInstall(machine: Machine, missing: readonly Requirement[]): string {
  const chosen = machine.env['CHROMIUM'];
  return [
    `The tests need ${missing.map(({ what }) => what).join(', ')}.`,
    ...(chosen && !machine.isExecutable(chosen) ? [`CHROMIUM=${chosen} is not an executable file.`] : []),
    'On Debian or Ubuntu, as root:',
    `    apt-get update && apt-get install -y ${missing.map(({ debianPackage }) => debianPackage).join(' ')}`,
    'Elsewhere install them your way; CHROMIUM=<file> names a browser that is already there.',
    '`npm test -- --no-browser` runs everything but the browser tests.',
  ].join('\n');
}
