import { parseHostField } from '@tongtu/base';
import { type FrpcProxy, MAX_FRPC_DOMAIN_LENGTH, MAX_FRPC_DOMAINS } from '@tongtu/contract';
import type { FrpMessageOf } from '@tongtu/frp';
import {
  type HttpTarget,
  MAX_PATH_PREFIX,
  MAX_PATH_PREFIXES,
  MAX_SET_FIELD_NAME,
  MAX_SET_FIELD_VALUE,
  MAX_SET_FIELDS,
} from '@tongtu/tunnel';
import { isSettableValue, maySetInAnswer, maySetInRequest } from '../codecs/http/set-fields.ts';
import { codingOf, type WorkCoding } from './coded-connection.ts';
import { tomlRefusals } from './refusals.ts';

type NewProxy = FrpMessageOf<'NewProxy'>;

/** A proxy of a user's own frpc.toml. */
export type TomlProxy = {
  /** What the server makes mappings of. Those of a group are one proxy to it, named after the group. */
  proxy: FrpcProxy;
  coding: WorkCoding | undefined;
  /** Several proxies with the same group take turns. */
  group: { name: string; key: string } | undefined;
  /** Of http and https: all but the key. */
  http: Omit<HttpTarget, 'key'> | undefined;
  /** Of stcp: who may visit it by another frpc. */
  secret: { key: string; users: readonly string[] } | undefined;
};

const kinds = ['http', 'https', 'tcp', 'udp', 'stcp'] as const;
const groupKinds: readonly string[] = ['http', 'tcp'];
const MAX_NAME_LENGTH = 200;
const everyVisitorByHttps: Omit<HttpTarget, 'key'> = {
  ...{ isForHttps: true, pathPrefixes: [''], user: '', hostField: '' },
  ...{ requestFields: [], responseFields: [] },
};
/** In `allowUsers`: everybody, which is every user of the account. */
const EVERY_USER = '*';

/** Reads a proxy of a user's own frpc.toml, or says why it is refused, for the log of frpc. */
export function readTomlProxy(message: NewProxy, user: string): TomlProxy | string {
  const { proxy_name: fullName, proxy_type: given, group, group_key: key } = message;
  const type = kinds.find((kind) => kind === given);
  if (type === undefined) return tomlRefusals.kinds[given] ?? tomlRefusals.unknownKind;
  const name = fullName.startsWith(`${user}.`) ? fullName.slice(user.length + 1) : '';
  if (!/^\P{Cc}+$/u.test(name) || name.length > MAX_NAME_LENGTH) return tomlRefusals.name;
  const domains = message.custom_domains ?? [];
  if (domains.length > MAX_FRPC_DOMAINS || domains.some((domain) => domain.length > MAX_FRPC_DOMAIN_LENGTH))
    return tomlRefusals.domains;
  if (group !== '' && !groupKinds.includes(type)) return tomlRefusals.groupKind;
  if (group.length > MAX_NAME_LENGTH) return tomlRefusals.name;
  const http = type === 'http' ? readHttp(message) : undefined;
  if (typeof http === 'string') return http;
  const users = message.allow_users ?? [];
  const unknownUser = users.find((allowed) => allowed !== EVERY_USER && accountOf(allowed) !== accountOf(user));
  if (unknownUser !== undefined) return tomlRefusals.allowUsers(shown(unknownUser), accountOf(user));
  const proxy = {
    ...{ name: group === '' ? name : `group:${type}:${group}`, type, remotePort: message.remote_port },
    domains,
    subdomain: message.subdomain,
    hostRewrite: message.host_header_rewrite,
  };
  return {
    ...{ proxy, http: type === 'https' ? everyVisitorByHttps : http, coding: codingOf(message) },
    group: group === '' ? undefined : { name: group, key },
    secret: type === 'stcp' ? { key: message.sk, users: users.includes(EVERY_USER) ? [] : users } : undefined,
  };
}

/** The part of a `user` that names the account. */
function accountOf(user: string): string {
  return user.split('.', 1)[0] ?? '';
}

function readHttp(message: NewProxy): Omit<HttpTarget, 'key'> | string {
  const { http_user: loginUser, http_pwd: password, locations, host_header_rewrite: host } = message;
  const pathPrefixes = [...new Set(locations?.map(inLatin1))];
  const isTooLong = pathPrefixes.some((prefix) => prefix.length > MAX_PATH_PREFIX);
  if (isTooLong || pathPrefixes.length > MAX_PATH_PREFIXES) return tomlRefusals.locations;
  const requestFields = Object.entries(message.headers ?? {}).map(fieldInLatin1);
  const responseFields = Object.entries(message.response_headers ?? {}).map(fieldInLatin1);
  if (Math.max(requestFields.length, responseFields.length) > MAX_SET_FIELDS) return tomlRefusals.tooManyHeaders;
  const refused =
    requestFields.find((field) => !isSettable(field, maySetInRequest)) ??
    responseFields.find((field) => !isSettable(field, maySetInAnswer));
  if (refused !== undefined) return tomlRefusals.header(shown(refused[0]));
  return {
    pathPrefixes: pathPrefixes.length === 0 ? [''] : pathPrefixes,
    user: inLatin1(message.route_by_http_user),
    ...((loginUser !== '' || password !== '') && {
      login: { user: inLatin1(loginUser), password: inLatin1(password) },
    }),
    hostField: parseHostField(host) === undefined ? '' : host,
    ...{ requestFields, responseFields },
  };
}

function isSettable([name, value]: readonly [string, string], maySet: (name: string) => boolean): boolean {
  return (
    name.length <= MAX_SET_FIELD_NAME && value.length <= MAX_SET_FIELD_VALUE && maySet(name) && isSettableValue(value)
  );
}

function fieldInLatin1([name, value]: [string, string]): [string, string] {
  return [inLatin1(name), inLatin1(value)];
}

/** UTF-8 as latin1, as all text of HTTP is here. */
function inLatin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function shown(text: string): string {
  return text.replaceAll(/[^\w.@*-]/g, '?').slice(0, 60);
}
