import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type KnownService, type KnownServiceName, knownServices, presetOptions } from './known-services.ts';
import { initialOptions, mappingOptions, type OptionName, isOptionPossible } from './mapping-options.ts';

const names = Object.keys(knownServices) as KnownServiceName[]; // its keys

test.each(names)('the docs have the row of %s', (name) => {
  const service: KnownService = knownServices[name];
  const { name: shown, kind, port, options, verified, advice = '—' } = service;
  const page = readFileSync(new URL('../../../../docs/connection-test.md', import.meta.url), 'utf8');
  const row = page.split('\n').find((line) => line.startsWith(`| ${shown} `)) ?? '';
  const cells = row.split('|').map((cell) => cell.trim());
  const choices = Object.entries(options).map(
    ([option, value]) => `\`${mappingOptions[option as OptionName].field}\`: \`${value}\``, // a key of the options
  );
  expect(cells.slice(2, 6)).toEqual([`\`${kind}\` ${port}`, choices.join(', ') || '—', advice, verified]);
});

test.each(names)('the options of %s are possible for its mapping', (name) => {
  const { kind, options } = knownServices[name];
  const context = { kind, hasCustomDomain: false, isPassthrough: false, hasCustomHost: false };
  for (const option of Object.keys(options) as OptionName[]) expect(isOptionPossible(option, context)).toBe(true);
});

test('a preset takes back what another preset has set', () => {
  const options = presetOptions('transmission');
  expect({ ...options, ...presetOptions('jellyfin') }).toMatchObject({ hostHeader: initialOptions.hostHeader });
  expect(presetOptions(undefined)).toMatchObject({ visitorFields: initialOptions.visitorFields });
});
