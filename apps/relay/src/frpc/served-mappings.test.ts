import { expect, test } from 'vitest';
import type { TomlProxy } from './read-toml-proxy.ts';
import { ServedMappings } from './served-mappings.ts';

/** Of http, with as many bytes in the fields that it sets. */
function proxyOf(name: string, bytes: number): TomlProxy {
  const domain = { domains: [], subdomain: '', hostRewrite: '', remotePort: 0 };
  const requestFields = [['X-Long', 'x'.repeat(bytes)]] satisfies [string, string][];
  return {
    ...{ coding: undefined, group: undefined, secret: undefined },
    proxy: { name, type: 'http', ...domain },
    http: { pathPrefixes: [`/${name}`], user: '', hostField: '', requestFields, responseFields: [] },
  };
}

test('the rules of one mapping, and of all of a device, have a limit', () => {
  const changed: number[] = [];
  const served = new ServedMappings({ onChanged: (mappingId) => changed.push(mappingId), isGuest: () => false });
  const add = (name: string, bytes: number, mappingIds: number[]) => served.add(name, proxyOf(name, bytes), mappingIds);
  expect(add('a', 40_000, [1])).toBeUndefined();
  expect(add('b', 40_000, [1])).toMatch(/64 KB/);
  expect(add('b', 40_000, [2])).toBeUndefined();
  expect(changed).toEqual([1, 2]);
  const many = Array.from({ length: 25 }, (_, at) => at + 10);
  expect(add('c', 40_000, many)).toMatch(/1 MB/);
  served.remove('a');
  served.remove('b');
  expect(add('c', 40_000, many)).toBeUndefined();
});
