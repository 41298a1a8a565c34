import { isIP } from 'node:net';
import { fieldError, type MappingKind, parseTarget, type ParsedTarget } from '@tongtu/contract';
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
  const host = target.host.replace(/\.$/, '');
  if (isCredentialAddress(host)) throw fieldError('target', 'mapping.target-credentials');
  const isLocal = isIP(host) === 0 ? singleLabel.test(host) || localName.test(host) : isPrivateAddress(host);
  if (!isLocal) throw fieldError('target', 'mapping.target-not-private');
  return { ...target, host };
}

/** The inverse of readPrivateTarget, without the default port. */
export function formatTarget(target: { kind: MappingKind; targetHost: string; targetPort: number }): string {
  const host = target.targetHost.includes(':') ? `[${target.targetHost}]` : target.targetHost;
  const isDefaultPort = parseTarget(`${target.kind}://a`)?.port === target.targetPort;
  return `${target.kind}://${host}${isDefaultPort ? '' : `:${target.targetPort}`}`;
}
