import { fieldError, type MappingKind, parseTarget, type ParsedTarget } from '@tongtu/contract';
import { metadataServices, must } from '@tongtu/base';
import ipaddr from 'ipaddr.js';

const privateRanges = new Set(['private', 'loopback', 'linkLocal', 'carrierGradeNat', 'uniqueLocal']);
// Suffixes that public DNS never answers for (RFC 6762, RFC 8375, ICANN's .internal) or that home routers use.
const localName =
  /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*\.(local|lan|home|home\.arpa|internal)$/;
const singleLabel = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Splits a target that stays inside the device's own network; throws mapping.target-not-private for any other.
 * A name's addresses are only known on the device: the agent checks them again before it dials.
 */
export function readPrivateTarget(text: string): ParsedTarget {
  const target = must(parseTarget(text), 'a target that its schema accepted');
  const host = target.host.replace(/\.$/, '');
  if (isPrivateAddress(host) ?? (singleLabel.test(host) || localName.test(host))) return { ...target, host };
  throw fieldError('target', 'mapping.target-not-private');
}

/** Undefined when the text is a name. */
function isPrivateAddress(host: string): boolean | undefined {
  if (!ipaddr.isValid(host)) return undefined;
  const address = ipaddr.process(host);
  return privateRanges.has(address.range()) && !metadataServices.has(address.toString());
}

/** The inverse of readPrivateTarget, in the form people type. */
export function formatTarget(target: { kind: MappingKind; targetHost: string; targetPort: number }): string {
  const host = target.targetHost.includes(':') ? `[${target.targetHost}]` : target.targetHost;
  const isDefaultPort = parseTarget(`${target.kind}://a`)?.port === target.targetPort;
  return `${target.kind}://${host}${isDefaultPort ? '' : `:${target.targetPort}`}`;
}
