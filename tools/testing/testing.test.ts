import { expect, test } from 'vitest';
import {
  findChromium,
  howToInstall,
  missingOptions,
  missingRequirements,
  type Machine,
} from './system-requirements.ts';
import { addTotals, totalsLine, totalsOfReport } from './totals.ts';

function machine(options: { programs?: string[]; fonts?: string; env?: Record<string, string> } = {}): Machine {
  const programs = new Set(options.programs);
  return {
    env: { PATH: '/usr/bin:relative', ...options.env },
    isExecutable: (file) => programs.has(file),
    read: () => options.fonts,
  };
}

const complete = ['/usr/bin/chromium', '/usr/sbin/nginx', '/usr/bin/curl'];

test('a complete machine misses nothing', () => {
  const found = machine({ programs: complete, fonts: 'Noto Sans CJK SC\n' });
  expect(missingRequirements(found, { withBrowser: true })).toEqual([]);
});

test('an empty machine is told every package by name', () => {
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

test('what some systems have no package of is asked for apart', () => {
  expect(missingOptions(machine({ programs: complete })).map(({ debianPackage }) => debianPackage)).toEqual(['pebble']);
  expect(missingOptions(machine({ programs: ['/usr/bin/pebble'] }))).toEqual([]);
});

test('CHROMIUM names the browser, and a wrong one is not silently replaced', () => {
  const own = { programs: ['/opt/browser', '/usr/bin/chromium'] };
  expect(findChromium(machine({ ...own, env: { CHROMIUM: '/opt/browser' } }))).toBe('/opt/browser');
  const wrong = machine({ ...own, env: { CHROMIUM: '/opt/none' } });
  expect(findChromium(wrong)).toBeUndefined();
  expect(howToInstall(wrong, missingRequirements(wrong, { withBrowser: true }))).toContain('CHROMIUM=/opt/none');
});

test('the totals of several runs are added up', () => {
  const first = totalsOfReport({ numPassedTests: 3, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 });
  expect(totalsLine(addTotals(first, { passed: 4, failed: 0, skipped: 0 }))).toBe('7 passed, 1 failed, 3 skipped');
  expect(totalsLine({ passed: 7, failed: 0, skipped: 0 })).toBe('7 passed, 0 failed');
});

test('a report of another shape is refused', () => {
  expect(() => totalsOfReport({ numPassedTests: '3' })).toThrow();
});
