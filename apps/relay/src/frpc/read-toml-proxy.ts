import type { FrpcProxy } from '@tongtu/contract';
import type { FrpMessageOf } from '@tongtu/frp';
import { tomlRefusals } from './refusals.ts';

const kinds = ['http', 'https', 'tcp', 'udp', 'stcp'] as const;
const MAX_NAME_LENGTH = 200;

/** Reads a proxy of a user's own frpc.toml, or says why it is refused, for the log of frpc. */
export function readTomlProxy(message: FrpMessageOf<'NewProxy'>, user: string): FrpcProxy | string {
  const { proxy_name: fullName, proxy_type: given } = message;
  const type = kinds.find((kind) => kind === given);
  if (type === undefined) return tomlRefusals.kinds[given] ?? tomlRefusals.unknownKind;
  const name = fullName.startsWith(`${user}.`) ? fullName.slice(user.length + 1) : '';
  if (!/^\P{Cc}+$/u.test(name) || name.length > MAX_NAME_LENGTH) return tomlRefusals.name;
  if (message.http_user !== '' || message.http_pwd !== '') return tomlRefusals.httpPassword;
  const parts = (message.locations ?? []).filter((location) => location !== '' && location !== '/');
  if (parts.length > 0) return tomlRefusals.locations;
  if (message.route_by_http_user !== '' || message.group !== '') return tomlRefusals.group;
  return {
    ...{ name, type, remotePort: message.remote_port },
    domains: message.custom_domains ?? [],
    subdomain: message.subdomain,
    hostRewrite: message.host_header_rewrite,
  };
}
