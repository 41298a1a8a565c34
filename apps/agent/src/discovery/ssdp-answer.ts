import { isIPv4 } from 'node:net';
import type { SeenSsdp } from '@tongtu/tunnel';
import { decodeEntities, seenText } from './seen-text.ts';

export type SsdpAnswer = { server: string | undefined; location: DescriptionAddress | undefined };
type DescriptionAddress = { address: string; port: number; path: string };

const MAX_LOCATION_LENGTH = 300;

/** Reads the answer to an M-SEARCH; undefined for anything else. */
export function readSsdpAnswer(message: string, sender: string): SsdpAnswer | undefined {
  if (!/^HTTP\/1\.[01] 200\b/i.test(message)) return undefined;
  const field = (name: string) => new RegExp(`^${name}[ \\t]*:[ \\t]*(.{1,400}?)[ \\t]*$`, 'im').exec(message)?.[1];
  return { server: seenText(field('server')), location: descriptionAddress(field('location'), sender) };
}

/** Only an address of the sender itself: with any other the sender would choose where the agent sends a request. */
function descriptionAddress(location: string | undefined, sender: string): DescriptionAddress | undefined {
  if (location === undefined || location.length > MAX_LOCATION_LENGTH || !URL.canParse(location)) return undefined;
  const { protocol, hostname, port, pathname, search, username } = new URL(location);
  if (protocol !== 'http:' || hostname !== sender || !isIPv4(hostname) || username !== '') return undefined;
  return { address: hostname, port: port === '' ? 80 : Number(port), path: pathname + search };
}

/** What names the device in its description (UPnP Device Architecture §2.3). Never throws. */
export function readDescription(xml: string): SeenSsdp {
  const element = (name: string) => {
    const text = new RegExp(`<${name}>([^<]{1,1000})</${name}>`, 'i').exec(xml)?.[1];
    return text === undefined ? undefined : seenText(decodeEntities(text));
  };
  return withoutUndefined({
    friendlyName: element('friendlyName'),
    manufacturer: element('manufacturer'),
    modelName: element('modelName'),
    deviceType: element('deviceType'),
  });
}

/** JSON and exact types leave out what is absent. */
export function withoutUndefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }; // the keys of `fields`
}
