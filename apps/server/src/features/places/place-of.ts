import { createRequire } from 'node:module';
import { parseAddress } from '@tongtu/base';
import type Ip2Region from 'ip2region';

type Database = InstanceType<(typeof Ip2Region)['default']>;

const ownNetworks: readonly string[] = ['private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'];

// The database has 11 MB and most processes never need it, so the first call loads it.
let loaded: Database | undefined;

/** Returns the place of an address in Chinese: `广东省深圳市`, `美国`, `局域网`, `本机`, or an empty string if unknown. */
export function placeOf(ip: string): string {
  const address = parseAddress(ip);
  if (address === undefined) return '';
  const range = address.range();
  if (range === 'loopback') return '本机';
  if (ownNetworks.includes(range)) return '局域网';
  if (range !== 'unicast') return '';
  loaded ??= load();
  const found = loaded.search(address.toString());
  return found ? nameOf(found) : '';
}

function load(): Database {
  // `require`, because loaders disagree on the default export of a CommonJS module that is imported.
  const { default: Searcher } = createRequire(import.meta.url)('ip2region') as typeof Ip2Region;
  return new Searcher();
}

function nameOf({ country, province, city }: { country: string; province: string; city: string }): string {
  if (country !== '中国') return country;
  // For 上海 and 上海市 the city's name is enough.
  const place = city.startsWith(province) ? city : province + city;
  return place === '' ? country : place;
}
