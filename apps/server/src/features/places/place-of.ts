import { createRequire } from 'node:module';
import { parseAddress } from '@tongtu/base';
import type Ip2Region from 'ip2region';

type Database = InstanceType<(typeof Ip2Region)['default']>;

const ownNetworks: readonly string[] = ['private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'];

// 11 MB, which most processes never need: read from disk by the first who asks, and the same for all.
let loaded: Database | undefined;

/** Where an address is, in Chinese and as far as a file on this machine knows: `广东省深圳市`, `美国`, `局域网`, `本机`, or empty. */
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
  // CommonJS, and required only here, so that its default export is the same under every loader.
  const { default: Opened } = createRequire(import.meta.url)('ip2region') as typeof Ip2Region;
  return new Opened();
}

function nameOf({ country, province, city }: { country: string; province: string; city: string }): string {
  if (country !== '中国') return country;
  // 上海, 上海市: the city says it all.
  const place = city.startsWith(province) ? city : province + city;
  return place === '' ? country : place;
}
