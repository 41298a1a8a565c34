import { isIP } from 'node:net';
import {
  AppError,
  fieldError,
  fieldMessages,
  type MappingKind,
  defaultPortOf,
  isPlainTarget,
  parseTarget,
  type ParsedTarget,
} from '@tongtu/contract';
import { isCredentialAddress, isPrivateAddress, must } from '@tongtu/base';

// Suffixes that public DNS never resolves (RFC 6762, RFC 8375, ICANN's .internal) or that home routers use.
const localName =
  /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*\.(local|lan|home|home\.arpa|internal)$/;
const singleLabel = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Parses a target inside the device's own network. Throws mapping.target-not-private for any other, and
 * mapping.target-credentials for a credential address.
 * Only the device can resolve a local name, so the agent checks its addresses again before it connects.
 */
export function readPrivateTarget(text: string): ParsedTarget {
  const target = must(parseTarget(text), 'a target that its schema accepted');
  return { ...target, host: assertPrivate(target.host, 'target') };
}

/**
 * The host of a cloud app, by the same rule. Its messages are for the field `host`. Throws request.invalid for text that is
 * no host.
 */
export function readPrivateHost(text: string): string {
  const isBareIPv6 = isIP(text) === 6;
  const asTarget = `tcp://${isBareIPv6 ? `[${text}]` : text}:1`;
  const target = parseTarget(asTarget);
  // A text with a port of its own, such as `nas:22`, is no host either.
  if (!target) throw new AppError('request.invalid', { fields: { host: [fieldMessages['host.shape']] } });
  const host = assertPrivate(target.host, 'host');
  if (!isPlainTarget(asTarget))
    throw new AppError('request.invalid', { fields: { host: [fieldMessages['target.plain-address']] } });
  return host;
}

/** Returns the host without the dot of an absolute name. */
function assertPrivate(absolute: string, field: string): string {
  const host = absolute.replace(/\.$/, '');
  if (isCredentialAddress(host)) throw fieldError(field, 'mapping.target-credentials');
  const isLocal = isIP(host) === 0 ? singleLabel.test(host) || localName.test(host) : isPrivateAddress(host);
  if (!isLocal) throw fieldError(field, 'mapping.target-not-private');
  return host;
}

/** The inverse of readPrivateTarget, without the default port. */
export function formatTarget(target: { kind: MappingKind; targetHost: string; targetPort: number }): string {
  const host = target.targetHost.includes(':') ? `[${target.targetHost}]` : target.targetHost;
  const isDefaultPort = defaultPortOf(target.kind) === target.targetPort;
  return `${target.kind}://${host}${isDefaultPort ? '' : `:${target.targetPort}`}`;
}
