import { expect, test } from 'vitest';
import { domainSkeleton } from './domain-skeleton.ts';

test.each([
  ['a digit', 'examp1e.com'],
  ['two letters', 'exarnple.com'],
  ['Cyrillic letters', 'xn--mple-43d3a6i.com'],
  ['an accent', 'xn--exmple-qta.com'],
])('%s has the same skeleton', (_, domain) => expect(domainSkeleton(domain)).toBe(domainSkeleton('example.com')));

test.each(['example.org', 'examples.com', 'com.example', 'xn--fiq228c.com'])('%s has another skeleton', (domain) =>
  expect(domainSkeleton(domain)).not.toBe(domainSkeleton('example.com')),
);
