import { type AppError, type Denial, errorCatalogue, type RelayAttemptKind } from '@tongtu/contract';
import { visitReasonText } from '@tongtu/contract/visit-reasons';

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
  alreadyOnlineToml: inBoth(
    '另一个 frpc 正在用同一个 user 在线。请在其中一个的 user 后面加上点号和名字（例如 .office）；如果刚刚重启过，稍后会自动连上',
    'another frpc is online with the same user. Add a dot and a name, such as .office, to the user of one of them',
  ),
  clock: inBoth(
    '设备的时钟不准（与服务器相差超过 5 分钟），不能登录：请在设备上开启时间同步（NTP），对好时间后 frpc 会自动连上',
    'the clock of this device is more than 5 minutes wrong: turn on NTP; frpc connects by itself once the time is right',
  ),
  starting: inBoth('服务器正在启动，稍后会自动重试', 'the server is starting; frpc will try again'),
} as const;

/** `reason` is for our log, `text` for that of frpc, `kind` for who is just adding a device. */
export type Refusal = { reason: string; text: string; kind: RelayAttemptKind | undefined };

const kinds: Readonly<Record<string, RelayAttemptKind>> = {
  unknown: 'frpc_unknown',
  wrongToken: 'frpc_token',
  suspended: 'device_suspended',
  alreadyOnline: 'frpc_twice',
  alreadyOnlineToml: 'frpc_twice',
  clock: 'frpc_clock',
  'frpc.clock-ahead': 'frpc_clock',
  'frpc.wire-v1': 'frpc_protocol',
  'frpc.login-unknown': 'frpc_unknown',
  'frpc.token-wrong': 'frpc_token',
};

export function refusalOf(reason: keyof typeof loginRefusals): Refusal {
  return { reason, text: loginRefusals[reason], kind: kinds[reason] };
}

/** A refusal by the server. */
export function refusalByServer({ code }: AppError): Refusal {
  const { zh, en } = errorCatalogue[code];
  return { reason: code, text: inBoth(zh, en), kind: kinds[code] };
}

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
} as const;

const notSupported = (kind: string, chinese: string, english: string): string =>
  inBoth(`不支持 ${kind} 代理：${chinese}`, `${kind} proxies are not supported: ${english}`);

/** Of proxies in a user's own frpc.toml. */
export const tomlRefusals = {
  kinds: {
    xtcp: notSupported('xtcp', '请改用 stcp 或 tcp', 'use stcp or tcp'),
    sudp: notSupported('sudp', '请改用 udp', 'use udp'),
    tcpmux: notSupported('tcpmux', '请改用 tcp 或 https', 'use tcp or https'),
  } as Readonly<Record<string, string | undefined>>,
  unknownKind: inBoth(
    '不支持这种代理，可以使用 http、https、tcp、udp 和 stcp',
    'this kind of proxy is not supported; use http, https, tcp, udp or stcp',
  ),
  name: inBoth('代理的名称不正确，最多 200 个字', 'the name of the proxy is not valid; it has at most 200 characters'),
  domains: inBoth(
    'customDomains 过多或过长：一个代理最多 64 个，每个最多 512 个字符。更多域名请再写一个代理',
    'too many customDomains, or one is too long: a proxy has at most 64 of 512 characters each. Write another proxy for more',
  ),
  locations: inBoth(
    'locations 过多或过长：最多 64 个，每个最多 512 个字节',
    'too many locations, or a location is too long: at most 64 of 512 bytes each',
  ),
  tooManyHeaders: inBoth(
    'requestHeaders.set 和 responseHeaders.set 各最多 32 项',
    'requestHeaders.set and responseHeaders.set have at most 32 entries each',
  ),
  header: (name: string) =>
    inBoth(
      `不能设置请求头或响应头 ${name}：名称或内容不合规则，或者由通途管理（例如 Host、Connection、X-Forwarded-For）。改 Host 请用 hostHeaderRewrite`,
      `the header ${name} cannot be set: its name or value is not valid, or it is managed here. For Host use hostHeaderRewrite`,
    ),
  sameLocation: inBoth(
    '另一个代理已经有同样的域名和 locations',
    'another proxy has the same domain and locations already',
  ),
  groupKind: inBoth(
    'loadBalancer.group 只支持 http 和 tcp 代理，请去掉',
    'loadBalancer.group is supported for http and tcp proxies only: remove it',
  ),
  groupDiffers: inBoth(
    '同一个 loadBalancer.group 的代理，groupKey、类型、域名、locations、httpUser、httpPassword 和 remotePort 必须相同',
    'proxies of one loadBalancer.group need the same groupKey, type, domains, locations, httpUser, httpPassword and remotePort',
  ),
  allowUsers: (user: string, account: string) =>
    inBoth(
      `allowUsers 里的 ${user} 不是您的账号的用户名：只能填写 ${account} 开头的用户名，或 "*"（您账号的全部用户名）`,
      `${user} in allowUsers is not of your account: use names that begin with ${account}, or "*" for all of them`,
    ),
  rulesTooLong: inBoth(
    'locations、requestHeaders.set 和 responseHeaders.set 过多：同一个域名的代理合计最多 64 KB，一台设备合计最多 1 MB',
    'too much in locations, requestHeaders.set and responseHeaders.set: at most 64 KB for one domain, and 1 MB for a device',
  ),
  tooMany: inBoth('一台设备最多 500 个代理', 'a device has at most 500 proxies'),
} as const;

/** Of visitors in a user's own frpc.toml. */
export const visitRefusals = {
  xtcp: inBoth(
    '不支持 xtcp 的 visitor，请改用 stcp，或者用 fallbackTo 指向一个 stcp visitor',
    'visitors of type xtcp are not supported: use stcp, or name a stcp visitor in fallbackTo',
  ),
  unknown: inBoth(
    '您的账号没有这个 stcp 代理，或者它不在线。代理和 visitor 必须用同一个账号的 frpc 令牌；它在别的 frpc 上时，请用 serverUser 写明那个 frpc 的 user',
    'your account has no such stcp proxy, or it is offline. Proxy and visitor need the frpc token of one account; if it is of another frpc, name its user in serverUser',
  ),
  wrongKey: inBoth('secretKey 不正确', 'the secretKey is wrong'),
  tooManyKeys: inBoth('错误的 secretKey 过多，请一分钟后再试', 'too many wrong secretKeys: try again in a minute'),
  user: (user: string) =>
    inBoth(`这个 stcp 代理的 allowUsers 里没有 ${user}`, `${user} is not in allowUsers of this stcp proxy`),
  closed: (denial: Denial) =>
    inBoth(`这条映射现在不能访问：${visitReasonText(denial)}`, `the mapping may not be visited now: ${denial}`),
  busy: inBoth('这台设备上的连接过多，请稍后再试', 'too many connections to this device: try again later'),
} as const;
