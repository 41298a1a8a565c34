import type { RelayAttemptKind } from '@tongtu/contract';

/** What frpc shows in its own log when we refuse it: the only place where its user finds help. */

function inBoth(chinese: string, english: string): string {
  return `${chinese} / ${english}`;
}

export const loginRefusals = {
  unknown: inBoth(
    '没有这个设备编号（user），设备可能已被删除。请在通途控制台的“添加设备”里重新复制配置',
    'no device has this user; it may have been deleted. Copy the configuration again from the console',
  ),
  wrongToken: inBoth(
    '密钥（token）不正确，可能已经更换。请在通途控制台的设备菜单里重新复制配置',
    'the token is wrong or was replaced. Copy the configuration again from the console',
  ),
  suspended: inBoth('这个设备或它的账号已被停用', 'this device or its account is suspended'),
  alreadyOnline: inBoth(
    '另一个 frpc 正在用同一份配置在线。每台设备请在控制台分别添加；如果刚刚重启过，稍后会自动连上',
    'another frpc is online with the same configuration. Add each device separately in the console',
  ),
  starting: inBoth('服务器正在启动，稍后会自动重试', 'the server is starting; frpc will try again'),
} as const;

export type LoginRefusal = keyof typeof loginRefusals;

/** What somebody who is adding a device learns of the refusal, besides the log of frpc. */
export const attemptKinds: Readonly<Record<LoginRefusal, RelayAttemptKind | undefined>> = {
  unknown: 'frpc_unknown',
  wrongToken: 'frpc_token',
  suspended: 'device_suspended',
  alreadyOnline: 'frpc_twice',
  starting: undefined,
};

const consoleOnly = inBoth(
  '请删除这一段代理：映射在通途控制台里添加，不必写在 frpc 的配置里',
  'delete this proxy: mappings are added in the console, not in the configuration of frpc',
);

export const proxyRefusals = {
  kind: consoleOnly,
  name: inBoth(
    '只接受名为 lan、插件为 http_proxy 的 tcp 代理，以及名为 wake 的 udp 代理',
    'only a tcp proxy named lan with the plugin http_proxy and a udp proxy named wake are accepted',
  ),
  transform: inBoth(
    '请去掉 useEncryption 和 useCompression：连接已经由 TLS 加密',
    'remove useEncryption and useCompression: TLS encrypts the connection already',
  ),
} as const;
