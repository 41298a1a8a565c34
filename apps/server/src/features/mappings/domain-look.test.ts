import { expect, test } from 'vitest';
import { lookOfDomain } from './domain-look.ts';

test.each([
  ['a digit', 'examp1e.com'],
  ['two letters', 'exarnple.com'],
  ['Cyrillic letters', 'xn--mple-43d3a6i.com'],
  ['an accent', 'xn--exmple-qta.com'],
])('%s makes the same look', (_, domain) => expect(lookOfDomain(domain)).toBe(lookOfDomain('example.com')));

test.each(['example.org', 'examples.com', 'com.example', 'xn--fiq228c.com'])('%s looks different', (domain) =>
  expect(lookOfDomain(domain)).not.toBe(lookOfDomain('example.com')),
);
