import { isIP } from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { issueText } from '@tongtu/contract';
import type { WebRules } from '@tongtu/relay';
import type { AcmeConfig, MessageConfig, ServerConfig, WechatConfig } from '@tongtu/server';
import { z } from 'zod';
import type { CertificateFiles } from './certificates.ts';
import { OperatorError } from './operator-error.ts';
import { findQuoted, readGiven } from './settings/given-settings.ts';
import { acmeVariables, readAcme } from './settings/acme-settings.ts';
import { messageVariables, readMessages } from './settings/message-settings.ts';
import { paymentVariables, readPayments, type PaymentSettings } from './settings/payment-settings.ts';
import { readTunnelPorts, type TunnelPorts } from './settings/tunnel-ports.ts';
import { readCertificateFiles, readWebRules, webVariables } from './settings/web-settings.ts';
import { webOrigin, webUrl } from './settings/web-url.ts';
import { readWechat, wechatVariables } from './settings/wechat-settings.ts';
import { wholeNumber } from './settings/whole-number.ts';

const portRule = '必须是 0 到 65535 之间的整数';
const Port = wholeNumber({ from: 0, to: 65_535, rule: portRule });
const publicPortRule = '必须是 1 到 65535 之间的整数';
const PublicPort = wholeNumber({ from: 1, to: 65_535, rule: publicPortRule });
const bandwidthRule = '必须是 0 到 1000000 之间的数字，单位 Mbit/s';
const processesRule = '必须是 1 到 8 之间的整数，或 auto';
const frpPortRule = '必须是 0 到 65535 之间的整数，或 off';
const drainRule = '必须是 0 到 3600 之间的整数，单位秒';
const rangeRule = '必须是从小到大的端口范围，例如 20000-20999';
const PortRange = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}$/, rangeRule)
  .refine((text) => isPortRange(readRange(text)), rangeRule);
const databaseRule =
  '必须是 postgres:// 或 postgresql:// 开头的地址，例如 postgres://user:password@127.0.0.1:5432/tongtu，用户名和密码中的特殊字符须按 URL 编码';
const hostRule = '必须是这台机器的 IP 地址，例如 127.0.0.1';
const HOST_NAME = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const hostNameRule = '必须是域名，例如 example.com；中文域名须写成 xn-- 开头的形式';
const HostName = z.string().toLowerCase().regex(HOST_NAME, { error: hostNameRule, abort: true });
/** Browsers read a name with such an end as an IPv4 address. */
const NUMERIC_END = /(^|\.)(\d+|0x[\da-f]*)$/;
const BaseDomain = HostName.refine((name) => !NUMERIC_END.test(name), '必须是域名，不能是 IP 地址，例如 example.com');
const HostNames = z
  .string()
  .toLowerCase()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .refine(
    (names) => names.every((name) => HOST_NAME.test(name)),
    '必须是域名，用逗号分隔，例如 a.example.com,b.example.com',
  )
  .default([]);

/** Every environment variable the product reads; `docs/configuration.md` is made from the descriptions. */
export const Environment = z.object({
  PORT: Port.default(8080).describe('控制台与访客的 HTTP 端口'),
  TLS_PORT: Port.default(8443).describe('控制台与访客的 HTTPS 端口'),
  TUNNEL_PORT: Port.default(7000).describe('设备客户端接入端口'),
  RELAY_PROCESSES: z
    .string()
    .regex(/^([1-8]|auto)$/, processesRule)
    .default('1')
    .describe(
      '处理访问流量的中继进程数，1 到 8；`auto` 表示按处理器核数取 1 或 2。第 2 个起的进程依次使用 TUNNEL_PORT 之后的端口，防火墙须一并放行',
    ),
  FRP_PORT: z
    .string()
    .regex(/^(off|\d{1,5})$/, frpPortRule)
    .refine((text) => text === 'off' || Number(text) <= 65_535, frpPortRule)
    .default('7200')
    .describe(
      '用 frpc 连接的设备的接入端口；`off` 关闭，这时只能经 TLS_PORT 上的 frp.BASE_DOMAIN 接入。RELAY_PROCESSES 大于 1 时只能经这个端口接入',
    ),
  DRAIN_SECONDS: wholeNumber({ from: 0, to: 3600, rule: drainRule })
    .default(10)
    .describe('停止或重启时，等待正在进行的请求、下载和 WebSocket 完成的最长秒数；整个服务重启期间不接受新的访问'),
  CONGESTION_CONTROL: z
    .enum(['bbr', 'cubic', 'system'])
    .default('bbr')
    .describe(
      '访客和设备的 TCP 连接用的拥塞控制：丢包的线路上 `bbr` 比 `cubic` 快得多，系统不允许时沿用系统的，启动时写一行日志说明怎样允许；`system` 表示沿用系统的',
    ),
  MAPPING_PORTS: PortRange.default('20000-20999').describe('TCP 与 UDP 映射可用的公网端口范围'),
  DEVICE_BANDWIDTH_MBIT: z
    .string()
    .regex(/^\d{1,7}(\.\d+)?$/, bandwidthRule)
    .transform(Number)
    .refine((mbit) => mbit <= 1_000_000, bandwidthRule)
    .default(0)
    .describe('每台设备上下行各自的默认带宽上限，单位 Mbit/s，每个中继进程分别计算；`0` 表示不限'),
  HOST: z
    .string()
    .refine((host) => isIP(host) !== 0 || HOST_NAME.test(host.toLowerCase()), hostRule)
    .default('::')
    .describe('监听地址；`::` 表示所有网卡，`127.0.0.1` 表示仅本机'),
  DATA_DIR: z.string().min(1).default('./data').describe('数据目录：数据库、密钥、证书'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: databaseRule, abort: true })
    .refine((url) => namesDatabase(new URL(url)), databaseRule)
    .optional()
    .describe('自己的 PostgreSQL（15 或更新）；不设则使用内置的 PostgreSQL'),
  BASE_DOMAIN: BaseDomain.default('localhost').describe('控制台的域名；设备的地址是它的下一级域名'),
  PUBLIC_URL: webOrigin('https://tongtu.example.com')
    .optional()
    .describe('用户在浏览器里看到的控制台地址；不设则为 http://BASE_DOMAIN:PORT'),
  CONSOLE_HOSTS: HostNames.describe('控制台的其他域名，用逗号分隔；IP 地址与 localhost 总是可用'),
  TUNNEL_PUBLIC_PORT: PublicPort.optional().describe(
    '设备客户端从外面连接的端口，经 NAT 或 docker -p 转发而与 TUNNEL_PORT 不同时设置；第 2 个起的中继进程依次使用其后的端口',
  ),
  TUNNEL_HOST: HostName.optional().describe('设备客户端连接的主机名；不设则与控制台相同'),
  ...webVariables,
  ...acmeVariables,
  ...messageVariables,
  ...wechatVariables,
  ADMIN_PASSWORD: z
    .string()
    .optional()
    .describe('账号 admin 的初始密码，不能太容易猜到，仅首次启动有效；不设则生成一个并显示一次'),
  BILLING: z
    .enum(['off', 'on'])
    .default('off')
    .describe('`off`：自用模式，没有商店和限制；`on`：设备需要套餐才能使用，可购买套餐、兑换和邀请'),
  ...paymentVariables,
  NPM_REGISTRY: webUrl('https://registry.npmmirror.com')
    .default('https://registry.npmjs.org')
    .describe(
      '设备上没有 Node.js 时，服务器从这个 npm 源取一次 Node.js 再发给设备，并按 package-lock.json 校验；例如 https://registry.npmmirror.com',
    ),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('warn').describe('写到标准错误的日志级别'),
});

/** `isAtTlsPort`: also at the https port, by its own host name. */
type FrpPorts = { port: number | undefined; isAtTlsPort: boolean };

export type StackConfig = TunnelPorts & {
  host: string;
  httpPort: number;
  tlsPort: number;
  /** Where a stock frpc connects; its port besides the https port. Undefined: nowhere. */
  frp: FrpPorts | undefined;
  drainMs: number;
  congestionControl: 'bbr' | 'cubic' | 'system';
  publicPorts: { from: number; to: number };
  /** Bit/s; null: no limit. */
  defaultBandwidthBps: number | null;
  dataDir: string;
  databaseUrl: string | undefined;
  npmRegistry: string;
  baseDomain: string;
  publicUrl: string | undefined;
  consoleHosts: string[];
  tunnelHost: string | undefined;
  certificateFiles: CertificateFiles;
  trustedProxies: string[];
  web: WebRules;
  acme: AcmeConfig | undefined;
  messages: MessageConfig;
  wechat: WechatConfig | undefined;
  adminPassword: string | undefined;
  billing: 'off' | 'on';
  payments: PaymentSettings;
  logLevel: 'debug' | 'info' | 'warn' | 'error';
  runsLocalAgent: boolean;
  resetsAdminPassword: boolean;
  /** The account to make a superuser, instead of starting the product. */
  superuserToMake: string | undefined;
};

/** The only reader of the environment and the command line. Throws OperatorError naming every wrong variable. */
export function readConfig(env: NodeJS.ProcessEnv, args: string[]): StackConfig {
  const options = readArguments(args);
  const given = readGiven(env);
  const quoted = findQuoted(given, Object.keys(Environment.shape));
  const parsed = Environment.safeParse(given, { error: (issue) => issueText(issue).zh });
  if (!parsed.success || quoted.length > 0) {
    const issues = parsed.error?.issues.map(({ path: [name], message }) => [String(name), message] as const) ?? [];
    const lines = [
      ...quoted.map((name) => `${name}：值的两端带着引号，请把引号去掉`),
      ...issues.filter(([name]) => !quoted.includes(name)).map(([name, message]) => `${name}：${message}`),
    ];
    throw new OperatorError(`环境变量不正确：\n${[...new Set(lines)].map((line) => `  ${line}`).join('\n')}`);
  }
  const values = parsed.data;
  const certificateFiles = readCertificateFiles(values);
  const { tunnelPorts, tunnelPublicPort } = readTunnelPorts(values);
  const frp = readFrp(values.FRP_PORT, tunnelPorts.length);
  const ports = [values.PORT, values.TLS_PORT, ...tunnelPorts, frp?.port ?? 0].filter((port) => port !== 0);
  const twice = ports.find((port, index) => ports.indexOf(port) < index);
  if (twice !== undefined) throw new OperatorError(portsRule(tunnelPorts, twice));
  const publicPorts = readRange(values.MAPPING_PORTS);
  assertNotForMappings(publicPorts, ports);
  return {
    host: values.HOST,
    httpPort: values.PORT,
    tlsPort: values.TLS_PORT,
    tunnelPorts,
    tunnelPublicPort,
    frp,
    drainMs: values.DRAIN_SECONDS * 1000,
    congestionControl: values.CONGESTION_CONTROL,
    publicPorts,
    // At least 1 bit/s: a limit that rounds to nothing would mean none.
    defaultBandwidthBps: values.DEVICE_BANDWIDTH_MBIT === 0 ? null : Math.ceil(values.DEVICE_BANDWIDTH_MBIT * 1e6),
    dataDir: path.resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    npmRegistry: values.NPM_REGISTRY,
    baseDomain: values.BASE_DOMAIN,
    publicUrl: values.PUBLIC_URL,
    consoleHosts: values.CONSOLE_HOSTS,
    tunnelHost: values.TUNNEL_HOST,
    certificateFiles,
    trustedProxies: values.TRUSTED_PROXIES,
    web: readWebRules(values, {
      baseDomain: values.BASE_DOMAIN,
      publicUrl: values.PUBLIC_URL,
      tlsPort: values.TLS_PORT,
    }),
    acme: readAcme(values, {
      baseDomain: values.BASE_DOMAIN,
      hasOwnCertificate: values.TLS_CERT_FILE !== undefined,
    }),
    messages: readMessages(values, env['NODE_ENV']),
    wechat: readWechat(values, { nodeEnv: env['NODE_ENV'], publicUrl: values.PUBLIC_URL }),
    adminPassword: values.ADMIN_PASSWORD,
    billing: values.BILLING,
    payments: readPayments(values, { nodeEnv: env['NODE_ENV'] }),
    logLevel: values.LOG_LEVEL,
    ...options,
  };
}

export function databaseOf({ databaseUrl, dataDir }: StackConfig): ServerConfig['database'] {
  return databaseUrl === undefined ? { embeddedDir: path.join(dataDir, 'postgres') } : { url: databaseUrl };
}

/** frpc keeps one connection, which the first relay process takes: others might get those at the shared https port. */
function readFrp(text: string, relays: number): StackConfig['frp'] {
  const port = text === 'off' ? undefined : Number(text);
  const isAtTlsPort = relays === 1;
  return port === undefined && !isAtTlsPort ? undefined : { port, isAtTlsPort };
}

/** Throws OperatorError naming a port of the product itself that mappings could be given. */
export function assertNotForMappings({ from, to }: StackConfig['publicPorts'], ports: readonly number[]): void {
  const shared = ports.find((port) => port >= from && port <= to);
  if (shared === undefined) return;
  throw new OperatorError(`MAPPING_PORTS 不能包含本服务自己的端口 ${shared}，例如 MAPPING_PORTS=20000-20999`);
}

function portsRule([first = 0, ...more]: number[], twice: number): string {
  const used = more.length === 0 ? 'TUNNEL_PORT' : `TUNNEL_PORT（${first}-${more.at(-1)}）`;
  return `PORT、TLS_PORT、FRP_PORT 和 ${used} 必须各不相同，现在有两个是 ${twice}`;
}

/** Without any of these, the driver would take whatever database of this machine has the name of the user. */
function namesDatabase({ hostname, pathname, searchParams }: URL): boolean {
  return hostname !== '' || /^\/./.test(pathname) || searchParams.has('host');
}

function readRange(text: string): { from: number; to: number } {
  const [from = 0, to = 0] = text.split('-').map(Number);
  return { from, to };
}

function isPortRange({ from, to }: { from: number; to: number }): boolean {
  return from >= 1 && from <= to && to <= 65_535;
}

type Arguments = Pick<StackConfig, 'runsLocalAgent' | 'resetsAdminPassword' | 'superuserToMake'>;

function readArguments(args: string[]): Arguments {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const options = {
      'no-local-agent': flag,
      'reset-admin-password': flag,
      'make-superuser': { type: 'string' },
    } as const;
    const { values } = parseArgs({ args, options });
    return {
      runsLocalAgent: !values['no-local-agent'],
      resetsAdminPassword: values['reset-admin-password'],
      superuserToMake: values['make-superuser'],
    };
  } catch (cause) {
    throw new OperatorError(
      '用法：npm start -- [--no-local-agent] [--reset-admin-password] [--make-superuser 用户名]',
      { cause },
    );
  }
}
