import { defaultPortOf, initialOptions, type MappingPatch, mappingOptions, type TrialSettings } from '@tongtu/contract';
import { isIP } from 'node:net';
import { type MappingRow, formatTarget } from '../../../mappings/index.ts';
import type { ShownOrigin, Worse } from './visit-end.ts';

/** The settings of a mapping that decide what its service gets of a request. */
export type SentSettings = Pick<
  MappingRow,
  'hostHeader' | 'hostName' | 'visitorFields' | 'forwardedProto' | 'originFields' | 'tlsName' | 'verifyTls'
>;
export type WebKind = 'http' | 'https';

/** Settings that a visit tries in place of the mapping’s, and the change of the mapping that makes them its own. */
export type Way = { settings: TrialSettings; changes: MappingPatch };

const plain = {
  hostHeader: initialOptions.hostHeader,
  hostName: initialOptions.hostName,
  visitorFields: initialOptions.visitorFields,
  forwardedProto: initialOptions.forwardedProto,
  originFields: initialOptions.originFields,
};
type Sent = typeof plain;

/** Those that hide least come first. */
const pageWays: readonly Partial<Sent>[] = [
  {},
  { visitorFields: 'omit_address' },
  { forwardedProto: 'http' },
  { forwardedProto: 'https' },
  { visitorFields: 'omit' },
  { hostHeader: 'rewrite' },
  { hostHeader: 'rewrite', visitorFields: 'omit_address' },
  { hostHeader: 'rewrite', visitorFields: 'omit' },
  { originFields: 'rewrite' },
];

/** A page that opens: its scripts and WebSockets differ from it by their Origin. */
const scriptWays: readonly Partial<Sent>[] = [
  {},
  { forwardedProto: 'http' },
  { forwardedProto: 'https' },
  { originFields: 'rewrite' },
  { hostHeader: 'rewrite' },
  { visitorFields: 'omit_address' },
  { visitorFields: 'omit' },
  { hostHeader: 'rewrite', visitorFields: 'omit' },
];

/**
 * What another combination of settings would send, without the present one. The first that works is offered and named as
 * the cause, so those that change least come first.
 */
export function otherWays(mapping: SentSettings, worse: Worse): Way[] {
  const ways = worse === 'page' || worse === 'needs' ? pageWays : scriptWays;
  const others = ways.flatMap((way) => wayTo(mapping, { ...plain, ...way }) ?? []);
  if (worse === 'page' && mapping.tlsName !== '') others.unshift(ownTlsName);
  const size = ({ changes }: Way) => Object.keys(changes).length;
  return others.toSorted((one, other) => size(one) - size(other));
}

/** What somebody in the LAN sends, in place of the name of the mapping. */
const ownTlsName: Way = { settings: { tlsName: '' }, changes: { tls_name: '' } };

/** A service that has a certificate for its public name alone, and ends the handshake for any other. */
export function publicNameWay(mapping: SentSettings & Pick<MappingRow, 'targetHost'>, name: string): Way | undefined {
  const { hostHeader, hostName, targetHost, tlsName } = mapping;
  const host = { keep: name, rewrite: targetHost, custom: hostName.replace(/:\d+$/, '') }[hostHeader];
  const sent = tlsName || (isIP(targetHost) === 0 ? targetHost : host);
  if (isIP(name) !== 0 || (sent === name && host === name)) return undefined;
  const wanted = { hostHeader: 'keep', hostName: '', tlsName: name } as const;
  return changesOf(mapping, wanted, ['hostHeader', 'hostName', 'tlsName']);
}

/** A service that knows itself by the name `localhost` alone. */
export function localhostWay(mapping: SentSettings & Pick<MappingRow, 'targetPort'>, kind: WebKind): Way | undefined {
  const { targetPort } = mapping;
  const hostName = targetPort === defaultPortOf(kind) ? 'localhost' : `localhost:${targetPort}`;
  return wayTo(mapping, { ...plain, hostHeader: 'custom', hostName });
}

/** A service that leads to a name of its own at the same port, as an Apache with UseCanonicalName does. */
export function namedWay(
  mapping: SentSettings & Pick<MappingRow, 'targetPort'> & { kind: WebKind },
  { protocol, hostname, port, host: hostName }: URL,
): Way[] {
  const { kind, targetPort } = mapping;
  const isHere = protocol === `${kind}:` && (port === '' ? defaultPortOf(kind) : Number(port)) === targetPort;
  const way = isHere && isIP(hostname) === 0 ? wayTo(mapping, { ...plain, hostHeader: 'custom', hostName }) : undefined;
  return way === undefined ? [] : [way];
}

function wayTo(mapping: SentSettings, wanted: Sent): Way | undefined {
  return changesOf(mapping, wanted, Object.keys(plain) as (keyof Sent)[]); // its keys
}

/** The settings of these names that differ. */
function changesOf<Name extends keyof Sent | 'tlsName'>(
  mapping: SentSettings,
  wanted: Pick<SentSettings, Name>,
  names: readonly Name[],
): Way | undefined {
  const changed = names.filter((name) => mapping[name] !== wanted[name]);
  if (changed.length === 0) return undefined;
  const settings = Object.fromEntries(changed.map((name) => [name, wanted[name]]));
  const changes = Object.fromEntries(changed.map((name) => [mappingOptions[name].field, wanted[name]]));
  return { settings, changes };
}

/** A visit of somebody in the LAN: by the address of the service, without fields about a visitor. */
export function directSettings(kind: WebKind): TrialSettings {
  const settings = { ...plain, kind, visitorFields: 'omit' } as const;
  return kind === 'https' ? { ...settings, tlsName: '' } : { ...settings, ...withoutTls };
}

const withoutTls = { verifyTls: false, tlsName: '' } as const;

/** The same port by the other protocol. */
export function otherKindWay(
  mapping: SentSettings & Pick<MappingRow, 'targetHost' | 'targetPort'>,
  kind: WebKind,
): Way {
  const target = formatTarget({ ...mapping, kind });
  if (kind === 'https') return { settings: { kind }, changes: { target } };
  return {
    settings: { kind, ...withoutTls },
    changes: {
      target,
      ...(mapping.verifyTls && { verify_tls: false }),
      ...(mapping.tlsName !== '' && { tls_name: '' }),
    },
  };
}

/** The origin of a target, as a browser in the LAN shows it. */
export function lanOrigin(mapping: Pick<MappingRow, 'targetHost' | 'targetPort'>, kind: WebKind): ShownOrigin {
  return { scheme: kind, authority: formatTarget({ ...mapping, kind }).slice(`${kind}://`.length) };
}
