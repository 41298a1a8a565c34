import path from 'node:path';
import { expect, test } from 'vitest';
import {
  findChromium,
  findHeadlessChromium,
  howToInstall,
  missingOptions,
  missingRequirements,
  type Machine,
} from './system-requirements.ts';
import { addTotals, failuresText, hasPassed, secondTriesText, totalsLine } from './totals.ts';

function machine(options: { programs?: string[]; fonts?: string; env?: Record<string, string> } = {}): Machine {
  const programs = new Set(options.programs);
  return {
    env: { PATH: '/usr/bin:relative', ...options.env },
    isExecutable: (file) => programs.has(file),
    read: () => options.fonts,
  };
}

const complete = ['/usr/bin/chromium', '/usr/sbin/nginx', '/usr/bin/curl'];

test('on a complete machine no package is missing', () => {
  const found = machine({ programs: complete, fonts: 'Noto Sans CJK SC\n' });
  expect(missingRequirements(found, { withBrowser: true })).toEqual([]);
});

test('on an empty machine every missing package is named', () => {
  const empty = machine();
  const text = howToInstall(empty, missingRequirements(empty, { withBrowser: true }));
  expect(text).toContain('apt-get install -y curl chromium nginx-light fonts-noto-cjk');
});

test('Latin fonts alone are not enough', () => {
  const missing = missingRequirements(machine({ programs: complete, fonts: '' }), { withBrowser: true });
  expect(missing.map(({ debianPackage }) => debianPackage)).toEqual(['fonts-noto-cjk']);
});

test('without the browser tests no browser is asked for', () => {
  expect(missingRequirements(machine({ programs: ['/usr/bin/curl'] }), { withBrowser: false })).toEqual([]);
});

test('packages that some systems lack are installed separately', () => {
  const optionsOf = (found: Machine, withBrowser: boolean) =>
    missingOptions(found, { withBrowser }).map(({ debianPackage }) => debianPackage);
  const peers = [
    'pebble',
    'openssh-server',
    'inetutils-telnetd',
    'samba',
    'apache2',
    'aria2',
    'tigervnc-standalone-server',
    'tigervnc-tools',
    'xrdp',
    'freerdp2-shadow-x11',
    'xterm',
    'qbittorrent-nox',
    'transmission-daemon',
    'docker-registry',
    'cockpit-ws',
    'jupyter-server',
    'avahi-daemon',
  ];
  expect(optionsOf(machine({ programs: complete }), true)).toEqual([...peers, 'chromium-headless-shell']);
  expect(optionsOf(machine({ programs: complete }), false)).toEqual(peers);
  const found = [
    'sshd',
    'telnetd',
    'smbd',
    'apache2',
    'aria2c',
    'Xtigervnc',
    'tigervncpasswd',
    'xrdp',
    'freerdp-shadow-cli',
    'xterm',
    'qbittorrent-nox',
    'transmission-daemon',
    'docker-registry',
    '../lib/cockpit/cockpit-ws',
    'jupyter-server',
    'avahi-daemon',
    'pebble',
  ];
  const programs = found.map((program) => path.join('/usr/bin', program));
  expect(optionsOf(machine({ programs, env: { CHROMIUM: '/opt/browser' } }), true)).toEqual([]);
});

test('CHROMIUM names the browser, and a wrong one is not silently replaced', () => {
  const own = { programs: ['/opt/browser', '/usr/bin/chromium'] };
  expect(findChromium(machine({ ...own, env: { CHROMIUM: '/opt/browser' } }))).toBe('/opt/browser');
  expect(findHeadlessChromium(machine({ ...own, env: { CHROMIUM: '/opt/browser' } }))).toBe('/opt/browser');
  const wrong = machine({ ...own, env: { CHROMIUM: '/opt/none' } });
  expect(findChromium(wrong)).toBeUndefined();
  expect(howToInstall(wrong, missingRequirements(wrong, { withBrowser: true }))).toContain('CHROMIUM=/opt/none');
});

test('the headless shell is preferred to the full browser', () => {
  const light = '/usr/bin/chromium-headless-shell';
  expect(findHeadlessChromium(machine({ programs: [...complete, light] }))).toBe(light);
  expect(findHeadlessChromium(machine({ programs: complete }))).toBe('/usr/bin/chromium');
});

test('the totals of several runs are added up', () => {
  const failures = ['a.test.ts › breaks\nError: 1 is not 2', 'b.test.ts\nnot found'];
  const run = { passed: 3, skipped: 3, failures, secondTries: ['c.test.ts › is late'] };
  const sum = addTotals(run, { ...run, passed: 4, skipped: 0, failures: ['the build'] });
  expect(totalsLine(sum)).toBe('7 passed, 3 failed, 3 skipped');
  expect(sum.secondTries).toEqual(['c.test.ts › is late', 'c.test.ts › is late']);
  expect(totalsLine({ ...run, passed: 7, skipped: 0, failures: [] })).toBe('7 passed, 0 failed');
});

test('the end of a run names each failure and its message, without colours and shortened', () => {
  const long = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n');
  const text = failuresText(['a.test.ts › breaks\n\u001B[31mError: 1 is not 2\u001B[39m\n', `check types\n${long}`]);
  const lines = text.split('\n');
  expect(lines.slice(0, 4)).toEqual(['✗ a.test.ts › breaks', '    Error: 1 is not 2', '✗ check types', '    line 1']);
  expect(lines.slice(-2)).toEqual(['    line 19', '    … 11 more lines above']);
});

test('a run fails by one failure, without tests, and by too many second tries', () => {
  const run = { passed: 3, skipped: 0, failures: [], secondTries: ['a › is late', 'b › is late'] };
  expect(hasPassed(run)).toBe(true);
  expect(hasPassed({ ...run, passed: 0 })).toBe(false);
  expect(hasPassed({ ...run, failures: ['c › breaks'] })).toBe(false);
  expect(hasPassed({ ...run, secondTries: [...run.secondTries, 'c › is late'] })).toBe(false);
  expect(secondTriesText(run.secondTries)).toContain('2 passed only when tried again, of at most 2');
});
