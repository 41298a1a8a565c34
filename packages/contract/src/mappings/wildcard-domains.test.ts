import { expect, test } from 'vitest';
import { domainsAround, findCovering } from './wildcard-domains.ts';

const owners: Readonly<Record<string, string>> = {
  '*.example.com': 'li',
  '*.home.example.com': 'li',
  'nas.home.example.com': 'wang',
  'shop.example.com': 'wang',
  'blog.example.com': 'li',
};

function ownerOf(name: string): string | undefined {
  const find = (domain: string) => (owners[domain] === undefined ? undefined : { domain, owner: owners[domain] });
  const entry = findCovering(name, {
    find,
    findWildcard: (parent) => find(`*.${parent}`),
    isSameOwner: (a, b) => a.owner === b.owner,
  });
  return entry && `${entry.domain} ${entry.owner}`;
}

test.each([
  ['nas.home.example.com', 'nas.home.example.com wang'],
  ['tv.home.example.com', '*.home.example.com li'],
  ['a.b.home.example.com', '*.home.example.com li'],
  ['home.example.com', '*.example.com li'],
  ['api.blog.example.com', '*.example.com li'],
  ['api.shop.example.com', undefined],
  ['a.nas.home.example.com', undefined],
  ['example.com', undefined],
  ['com', undefined],
  ['example.org', undefined],
  ['badexample.com', undefined],
])('%s leads to %s', (name, expected) => {
  expect(ownerOf(name)).toBe(expected);
});

test('what covers a name depends on it, its parents and their wildcards', () => {
  expect(domainsAround('a.b.com')).toEqual(['a.b.com', '*.b.com', 'b.com', '*.com', 'com']);
});
