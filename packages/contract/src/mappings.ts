import { z } from 'zod';
import { MappingCertificate } from './certificates.ts';
import type { FieldScopes } from './endpoint.ts';
import { MAX_ACCESS_PASSWORD_LENGTH, MAX_REMARK_LENGTH, MIN_ACCESS_PASSWORD_LENGTH } from './limits.ts';
import { Id, personText, Timestamp } from './shared.ts';

/**
 * Who may visit. `owner`: whoever is verified; `password`: also whoever knows the mapping's password; `public`: anybody;
 * `closed`: nobody, not even the owner.
 */
export const MappingPolicy = z.enum(['owner', 'password', 'public', 'closed']);
export type MappingPolicy = z.infer<typeof MappingPolicy>;

export const MappingKind = z.enum(['http', 'https', 'tcp', 'udp']).describe('the protocol the LAN service speaks');
export type MappingKind = z.infer<typeof MappingKind>;

export const HostHeader = z
  .enum(['keep', 'rewrite'])
  .describe('whether the LAN service sees the public name or its own address as the Host');
export type HostHeader = z.infer<typeof HostHeader>;

/** One DNS label (RFC 1035 §2.3.1), lower case, without punycode look-alikes. */
export const Prefix = z
  .string()
  .min(1, '请输入域名前缀')
  .max(63, '域名前缀不能超过 63 个字符')
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, '域名前缀只能使用小写字母、数字和连字符，且不能以连字符开头或结尾')
  .refine((prefix) => prefix.slice(2, 4) !== '--', '域名前缀的第 3、4 位不能同时是连字符');

/** A whole domain of the user's own, in any spelling; an internationalized one is kept as punycode. */
export const CustomDomain = z
  .string()
  .trim()
  .toLowerCase()
  .overwrite(asciiDomain)
  .max(253, '域名过长')
  .regex(
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/,
    '请输入完整的域名，例如 nas.example.com',
  );

const MAX_TYPED_DOMAIN = 300;

/** As DNS knows it: without the root's dot, other letters than ASCII as punycode. */
function asciiDomain(text: string): string {
  if (text.length > MAX_TYPED_DOMAIN) return text; // refused by its length
  const domain = text.replace(/[.。]$/, '');
  const url = `http://${domain}/`;
  // The URL's reader would cut off what cannot stand in a name, so that is left to be refused.
  return /^[\p{L}\p{M}\p{N}.。-]+$/u.test(domain) && URL.canParse(url) ? new URL(url).hostname : domain;
}

/** Shared by all visitors of one mapping; written only, never shown again. */
const AccessPassword = z
  .string()
  .min(MIN_ACCESS_PASSWORD_LENGTH, `访问密码至少 ${MIN_ACCESS_PASSWORD_LENGTH} 个字符`)
  .max(MAX_ACCESS_PASSWORD_LENGTH, `访问密码不能超过 ${MAX_ACCESS_PASSWORD_LENGTH} 个字符`)
  .regex(/^\P{Cc}*$/u, '不能包含控制字符');

const portRule = '端口必须是 1 到 65535 之间的整数';
const PublicPort = z.number(portRule).int(portRule).min(1, portRule).max(65_535, portRule);

/** Where in the LAN a mapping leads, e.g. `http://192.168.1.10:5000` or `tcp://192.168.1.10:22`: without path. */
export const Target = z
  .string()
  .trim()
  .max(300)
  .refine(
    (text) => parseTarget(text) !== undefined,
    '目标地址格式应如 http://192.168.1.10:5000 或 tcp://192.168.1.10:22',
  );

export type ParsedTarget = { protocol: MappingKind; host: string; port: number };

const defaultPorts: Partial<Record<MappingKind, number>> = { http: 80, https: 443 };

/** Splits a target; undefined when it is anything but `kind://host[:port][/]`. Only http and https have a port of their own. */
export function parseTarget(text: string): ParsedTarget | undefined {
  const match = /^(https?|tcp|udp):\/\/([a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?\/?$/i.exec(text.trim());
  if (!match) return undefined;
  const protocol = match[1]!.toLowerCase() as MappingKind; // the expression matched one of the four
  // Only special schemes have their host read as browsers do.
  const asWeb = `http://${match[2]}`;
  const port = match[3] === undefined ? defaultPorts[protocol] : Number(match[3]);
  if (!URL.canParse(asWeb) || port === undefined || port < 1 || port > 65_535) return undefined;
  return { protocol, host: new URL(asWeb).hostname.replace(/^\[|\]$/g, ''), port };
}

const clockRule = '时间格式应如 08:30';
const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, clockRule);

/** When visitors may come, by Beijing time; an end before the beginning lies on the next day. */
export const MappingHours = z
  .strictObject({
    days: z
      .array(z.number().int().min(1).max(7))
      .min(1, '请至少选择一天')
      .max(7)
      .refine((days) => new Set(days).size === days.length, '同一天只能选择一次')
      .describe('1 Monday … 7 Sunday'),
    from: Clock.refine((clock) => clock !== '24:00', clockRule),
    to: Clock,
  })
  .refine((hours) => hours.from !== hours.to, { path: ['to'], message: '开始与结束时间不能相同' });
export type MappingHours = z.infer<typeof MappingHours>;

/** What went over a mapping; bytes are those of visitors, without the tunnel's own. */
export const UsageTotal = z.object({
  bytes_in: z.number().int().nonnegative().describe('from visitors'),
  bytes_out: z.number().int().nonnegative().describe('to visitors'),
  requests: z.number().int().nonnegative().describe('HTTP requests, TCP connections, UDP conversations'),
});
export type UsageTotal = z.infer<typeof UsageTotal>;

export const Mapping = z.object({
  id: Id,
  router: Id,
  kind: MappingKind,
  /** The public address is one of these three. */
  prefix: z.string().nullable(),
  custom_domain: z.string().nullable(),
  port: z.number().int().nullable().describe('tcp and udp'),
  domain: z.string(),
  url: z.string().describe('the public address; tcp://host:port or udp://host:port for these kinds'),
  target: z.string(),
  host_header: HostHeader,
  verify_tls: z.boolean().describe('refuse a LAN service whose certificate is not valid'),
  tls_passthrough: z.boolean().describe('the LAN service holds the certificate; routed by SNI'),
  proxy_protocol: z.boolean().describe('tell the LAN service the visitor by PROXY protocol v2'),
  policy: MappingPolicy,
  has_password: z.boolean().describe('an access password is set, whether or not the policy asks for it'),
  opens_at: Timestamp.nullable(),
  closes_at: Timestamp.nullable(),
  hours: MappingHours.nullable(),
  remark: z.string(),
  enabled: z.boolean(),
  certificate: MappingCertificate.nullable().describe('null: none is ordered for this address'),
  usage_24h: UsageTotal.describe('of the last 24 clock hours, the running one included'),
  created_at: Timestamp,
});
export type Mapping = z.infer<typeof Mapping>;

/** What of a mapping must fit together; absent means: not said. */
type CheckedField =
  | ('kind' | 'prefix' | 'custom_domain' | 'port' | 'target' | 'opens_at' | 'closes_at')
  | ('host_header' | 'verify_tls' | 'tls_passthrough' | 'proxy_protocol' | 'policy');
export type MappingShape = { [Field in CheckedField]?: Mapping[Field] | undefined } & {
  /** The one that is set, or anything in its place where it is not known. */
  password?: string | undefined;
};
export type MappingConflict = { path: keyof MappingShape; message: string };

/** What of a whole mapping contradicts itself, each at the field to change. Empty: nothing does. */
export function mappingConflicts(mapping: MappingShape): MappingConflict[] {
  const { kind = 'http', prefix = null, custom_domain: customDomain = null, port = null } = mapping;
  const isWeb = kind === 'http' || kind === 'https';
  const isPassthrough = mapping.tls_passthrough === true;
  const conflicts: [boolean, MappingConflict['path'], string][] = [
    [!fitsTarget(mapping), 'kind', '协议与目标地址的开头不一致'],
    [isWeb && prefix === null && customDomain === null, 'prefix', '请输入域名前缀'],
    [prefix !== null && customDomain !== null, 'custom_domain', '域名前缀和自有域名只能填写一个'],
    [!isWeb && prefix !== null, 'prefix', 'TCP 和 UDP 映射使用端口，不需要域名前缀'],
    [!isWeb && customDomain !== null, 'custom_domain', 'TCP 和 UDP 映射使用端口，不需要域名'],
    [isWeb && port !== null, 'port', '只有 TCP 和 UDP 映射使用端口'],
    [isPassthrough && kind !== 'https', 'tls_passthrough', '只有 https 目标可以使用端到端加密'],
    [isPassthrough && customDomain === null, 'tls_passthrough', '端到端加密需要使用自有域名'],
    [
      mapping.verify_tls === true && (kind !== 'https' || isPassthrough),
      'verify_tls',
      '只有由本服务连接的 https 目标可以校验证书',
    ],
    [
      mapping.proxy_protocol === true && kind !== 'tcp' && !isPassthrough,
      'proxy_protocol',
      '只有 TCP 映射和端到端加密可以使用 PROXY 协议',
    ],
    [mapping.host_header === 'rewrite' && (!isWeb || isPassthrough), 'host_header', '只有网页映射可以改写 Host'],
    [!isInOrder(mapping), 'closes_at', '结束时间必须晚于开始时间'],
    [
      mapping.policy === 'password' && (!isWeb || isPassthrough),
      'policy',
      '只有由本服务连接的网页映射可以使用访问密码，其他映射请按访客地址放行',
    ],
    [mapping.policy === 'password' && mapping.password === undefined, 'password', '请设置访问密码'],
  ];
  return conflicts.flatMap(([isWrong, path, message]) => (isWrong ? [{ path, message }] : []));
}

/** `kind` repeats the target's protocol; where both are given and differ, one of them is a mistake. */
function fitsTarget({ kind, target }: MappingShape): boolean {
  const protocol = target === undefined ? undefined : parseTarget(target)?.protocol;
  return kind === undefined || protocol === undefined || protocol === kind; // a wrong target is named at its own field
}

function isInOrder({ opens_at: opensAt, closes_at: closesAt }: MappingShape): boolean {
  return !opensAt || !closesAt || Date.parse(opensAt) < Date.parse(closesAt);
}

function reportConflicts(mapping: MappingShape, context: z.RefinementCtx): void {
  for (const { path, message } of mappingConflicts(mapping))
    context.addIssue({ code: 'custom', path: [path], message });
}

export const MappingCreate = z
  .strictObject({
    router: Id.max(2_147_483_647),
    kind: MappingKind,
    prefix: Prefix.nullable().default(null),
    custom_domain: CustomDomain.nullable().default(null),
    port: PublicPort.nullable().default(null).describe('tcp and udp; absent: a free one is chosen'),
    target: Target,
    host_header: HostHeader.default('keep'),
    verify_tls: z.boolean().default(false),
    tls_passthrough: z.boolean().default(false),
    proxy_protocol: z.boolean().default(false),
    policy: MappingPolicy.default('owner'),
    password: AccessPassword.optional(),
    opens_at: Timestamp.nullable().default(null),
    closes_at: Timestamp.nullable().default(null),
    hours: MappingHours.nullable().default(null),
    remark: personText(MAX_REMARK_LENGTH).default(''),
  })
  .superRefine(reportConflicts);
export type MappingCreate = z.input<typeof MappingCreate>;

/** A `prefix` takes the place of a `custom_domain` and the other way round. What is left must still fit together. */
export const MappingPatch = z
  .strictObject({
    kind: MappingKind.optional(),
    prefix: Prefix.optional(),
    custom_domain: CustomDomain.optional(),
    port: PublicPort.optional(),
    target: Target.optional(),
    host_header: HostHeader.optional(),
    verify_tls: z.boolean().optional(),
    tls_passthrough: z.boolean().optional(),
    proxy_protocol: z.boolean().optional(),
    policy: MappingPolicy.optional(),
    password: AccessPassword.optional().describe('another one ends what the one before has let in'),
    opens_at: Timestamp.nullable().optional(),
    closes_at: Timestamp.nullable().optional(),
    hours: MappingHours.nullable().optional(),
    remark: personText(MAX_REMARK_LENGTH).optional(),
    enabled: z.boolean().optional(),
  })
  .refine(fitsTarget, { path: ['kind'], message: '协议与目标地址的开头不一致' });
export type MappingPatch = z.infer<typeof MappingPatch>;

/** What says who may visit. Without it a mapping is its owner's alone. */
export const mappingFieldScopes = {
  policy: { scope: 'access:write', free: 'owner' },
  password: { scope: 'access:write' },
} as const satisfies FieldScopes<keyof MappingPatch>;
