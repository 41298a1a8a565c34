import { z } from 'zod';
import type { ApiScope, FieldScopes } from '../endpoint.ts';
import { MAX_ACCESS_PASSWORD_LENGTH, MAX_REMARK_LENGTH, MIN_ACCESS_PASSWORD_LENGTH } from '../limits.ts';
import { fieldMessage, type FieldMessage } from '../messages/field-messages.ts';
import { Id, personText, Timestamp, GivenId } from '../shared.ts';
import { HostName, TlsName } from './service-names.ts';
import {
  initialOptions,
  mappingOptions,
  type MappingOptions,
  type OptionContext,
  type OptionField,
  optionNames,
  optionsToFields,
  timeoutRangesS,
} from './mapping-options.ts';

/**
 * Who may visit. `owner`: verified visitors; `password`: also those who know the mapping's password; `public`: anybody;
 * `closed`: nobody, not even the owner.
 */
export const MappingPolicy = z.enum(['owner', 'password', 'public', 'closed']);
export type MappingPolicy = z.infer<typeof MappingPolicy>;

export const MappingKind = z.enum(['http', 'https', 'tcp', 'udp']).describe('the protocol the LAN service speaks');
export type MappingKind = z.infer<typeof MappingKind>;

/** The schemas of the options in relays' routes. */
export const optionSchemas = {
  tlsPassthrough: z.boolean(),
  verifyTls: z.boolean(),
  proxyProtocol: z.boolean(),
  hostHeader: z.enum(['keep', 'rewrite', 'custom']),
  hostName: HostName,
  visitorFields: z.enum(['send', 'omit_address', 'omit']),
  forwardedProto: z.enum(['follow_host', 'http', 'https']),
  originFields: z.enum(['follow_host', 'keep', 'rewrite']),
  tlsName: TlsName,
  answerTimeoutS: secondsOf('answerTimeoutS', 'answer-timeout.range'),
  silenceTimeoutS: secondsOf('silenceTimeoutS', 'silence-timeout.range'),
  visitLogDays: z.literal([0, 1, 7, 30]),
} satisfies { [Name in keyof MappingOptions]: z.ZodType<MappingOptions[Name]> };

function secondsOf(name: keyof typeof timeoutRangesS, message: FieldMessage) {
  const { min, max } = timeoutRangesS[name];
  const rule = fieldMessage(message);
  return z.number(rule).int(rule).min(min, rule).max(max, rule);
}

/** One DNS label (RFC 1035 §2.3.1), lower case, without punycode look-alikes. */
export const Prefix = z
  .string()
  .min(1, fieldMessage('prefix.missing'))
  .max(63, fieldMessage('prefix.too-long'))
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, fieldMessage('prefix.shape'))
  .refine((prefix) => prefix.slice(2, 4) !== '--', fieldMessage('prefix.punycode'))
  .describe('one DNS label in lower case, without hyphens at both its third and fourth place');

/** A custom domain, in any spelling. An internationalized one is stored as punycode. */
export const CustomDomain = z
  .string()
  .trim()
  .toLowerCase()
  .overwrite(asciiDomain)
  .max(253, fieldMessage('domain.too-long'))
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/, fieldMessage('domain.shape'));

const MAX_TYPED_DOMAIN = 300;

/** The name as in DNS: without a trailing dot, and in punycode. */
function asciiDomain(text: string): string {
  if (text.length > MAX_TYPED_DOMAIN) return text; // the schema refuses it for its length
  const domain = text.replace(/[.。]$/, '');
  const url = `http://${domain}/`;
  // The URL parser would cut off invalid characters. Returned unchanged, the text fails the check that follows.
  return /^[\p{L}\p{M}\p{N}.。-]+$/u.test(domain) && URL.canParse(url) ? new URL(url).hostname : domain;
}

/** The access password. It can be set, but is never returned. */
const AccessPassword = z
  .string()
  .min(MIN_ACCESS_PASSWORD_LENGTH, fieldMessage('access-password.too-short'))
  .max(MAX_ACCESS_PASSWORD_LENGTH, fieldMessage('access-password.too-long'))
  .regex(/^\P{Cc}*$/u, fieldMessage('text.control'));

const portRule = fieldMessage('port.range');
const PublicPort = z.number(portRule).int(portRule).min(1, portRule).max(65_535, portRule);

/** The address of the LAN service, such as `http://192.168.1.10:5000` or `tcp://192.168.1.10:22`, without a path. */
export const Target = z
  .string()
  .trim()
  .max(300)
  .refine((text) => parseTarget(text) !== undefined, fieldMessage('target.shape'))
  .refine(isPlainTarget, fieldMessage('target.plain-address'))
  .describe(
    '`kind://host[:port]`, without a path; `tcp` and `udp` need the port. The host is an address or a name of the device’s own ' +
      'network, and neither link-local nor where a cloud hands a machine its credentials.',
  );

export type ParsedTarget = { protocol: MappingKind; host: string; port: number };

const IPV4 = /^\d+(?:\.\d+){3}$/;
const defaultPorts: Partial<Record<MappingKind, number>> = { http: 80, https: 443 };

export function defaultPortOf(kind: MappingKind): number | undefined {
  return defaultPorts[kind];
}

/** Parses a target; undefined unless it is `kind://host[:port][/]`. Only http and https have a default port. */
export function parseTarget(text: string): ParsedTarget | undefined {
  return readTarget(text)?.target;
}

/** False for an IPv4 address in another spelling, such as `192.168.001.010`, which means 192.168.1.8. */
export function isPlainTarget(text: string): boolean {
  return readTarget(text)?.isPlain !== false;
}

function readTarget(text: string): { target: ParsedTarget; isPlain: boolean } | undefined {
  const match = /^(https?|tcp|udp):\/\/([a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?\/?$/i.exec(text.trim());
  if (!match) return undefined;
  const protocol = match[1]!.toLowerCase() as MappingKind; // the expression matched one of the four
  // The URL parser normalizes hosts of special schemes only.
  const asWeb = `http://${match[2]}`;
  const port = match[3] === undefined ? defaultPorts[protocol] : Number(match[3]);
  if (!URL.canParse(asWeb) || port === undefined || port < 1 || port > 65_535) return undefined;
  const host = new URL(asWeb).hostname.replace(/^\[|\]$/g, '');
  const isPlain = !IPV4.test(host) || match[2]!.replace(/\.$/, '') === host;
  return { target: { protocol, host, port }, isPlain };
}

const clockRule = fieldMessage('hours.clock');
const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, clockRule);

/** The times when visitors are let in, in Beijing time. An end before the beginning is on the next day. */
export const MappingHours = z
  .strictObject({
    days: z
      .array(z.number().int().min(1).max(7))
      .min(1, fieldMessage('hours.no-day'))
      .max(7)
      .refine((days) => new Set(days).size === days.length, fieldMessage('hours.day-twice'))
      .describe('1 Monday … 7 Sunday, each at most once'),
    from: Clock.refine((clock) => clock !== '24:00', clockRule).describe('not 24:00'),
    to: Clock,
  })
  .refine((hours) => hours.from !== hours.to, { path: ['to'], message: fieldMessage('hours.empty') })
  .describe('By Beijing time. `to` is another time than `from`; where it is earlier, it lies on the next day.');
export type MappingHours = z.infer<typeof MappingHours>;

function describedOptions(): typeof optionSchemas {
  const described = optionNames.map((name) => [name, optionSchemas[name].describe(mappingOptions[name].description)]);
  return Object.fromEntries(described) as typeof optionSchemas; // a description does not change a schema's type
}

/** The state of a custom domain's DNS record. The server checks it until it leads here. */
export const MappingDns = z.object({
  state: z.enum(['waiting', 'ready']).describe('waiting: no certificate is ordered yet'),
  record: z
    .object({ type: z.literal('CNAME'), name: z.string(), value: z.string() })
    .nullable()
    .describe('the record to set; null: the region has no name in DNS, only addresses'),
  addresses: z.array(z.string()).describe('of this server, for A or AAAA records of a name that can have no CNAME'),
  found: z
    .array(z.string())
    .describe('public addresses that the domain had at the last check, and those in `addresses`'),
});
export type MappingDns = z.infer<typeof MappingDns>;

/** The traffic of a mapping. Bytes are those of visitors, without the tunnel's overhead. */
export const UsageTotal = z.object({
  bytes_in: z.number().int().nonnegative().describe('from visitors'),
  bytes_out: z.number().int().nonnegative().describe('to visitors'),
  requests: z.number().int().nonnegative().describe('HTTP requests, TCP connections, UDP conversations'),
});
export type UsageTotal = z.infer<typeof UsageTotal>;

/** The state of a custom domain's certificate. */
export const MappingCertificate = z.object({
  state: z.enum(['waiting', 'ready', 'failed']).describe('ready: visitors see a valid one'),
  not_after: Timestamp.nullable(),
  error: z.string().nullable().describe('why the last try failed; with `ready` it was a renewal'),
});
export type MappingCertificate = z.infer<typeof MappingCertificate>;

export const Mapping = z.object({
  id: Id,
  router: Id,
  kind: MappingKind,
  /** The public address: a mapping has exactly one of these three. */
  prefix: z.string().nullable(),
  custom_domain: z.string().nullable(),
  port: z.number().int().nullable().describe('tcp and udp'),
  domain: z.string(),
  url: z.string().describe('the public address; tcp://host:port or udp://host:port for these kinds'),
  target: z.string().describe('of a mapping that a frpc.toml manages: `frpc:` and the name of its proxy'),
  ...optionsToFields(describedOptions()),
  policy: MappingPolicy,
  has_password: z.boolean().describe('an access password is set, whether or not the policy asks for it'),
  opens_at: Timestamp.nullable(),
  closes_at: Timestamp.nullable(),
  hours: MappingHours.nullable(),
  remark: z.string(),
  enabled: z.boolean(),
  over_plan_limit: z.boolean().describe('closed, because older mappings use up what the plan allows'),
  pinned: z.boolean().describe('its owner wants to see it first'),
  dns: MappingDns.nullable().describe('null: not a custom domain'),
  certificate: MappingCertificate.nullable().describe('null: none is ordered for this address'),
  usage_24h: UsageTotal.describe('of the last 24 clock hours, the running one included'),
  frpc_proxy: z
    .string()
    .nullable()
    .describe(
      'the proxy of the frpc.toml that manages this mapping; its address and target cannot be changed here. Empty: its proxy has left it to others with the same domain',
    ),
  created_at: Timestamp,
});
export type Mapping = z.infer<typeof Mapping>;

/** The fields of a mapping that depend on each other. Absent: unknown. */
type CheckedField =
  | ('kind' | 'prefix' | 'custom_domain' | 'port' | 'target' | 'opens_at' | 'closes_at' | 'policy')
  | OptionField;
export type MappingShape = { [Field in CheckedField]?: Mapping[Field] | undefined } & {
  /** The access password. If there is one that cannot be read, any string. */
  password?: string | undefined;
};
export type MappingConflict = { path: keyof MappingShape; message: FieldMessage };

/** The contradictions within a mapping, each at the field to change. Empty if there are none. */
export function mappingConflicts(mapping: MappingShape): MappingConflict[] {
  return judgeRules(mapping).flatMap(([isBroken, path, message]) => (isBroken ? [{ path, message }] : []));
}

type JudgedRule = [isBroken: boolean, path: MappingConflict['path'], message: FieldMessage, rule: string];

/** The rules between fields: the message for a mapping that breaks the rule, and its text in the API document. */
function judgeRules(mapping: MappingShape): JudgedRule[] {
  const { kind = 'http', prefix = null, custom_domain: customDomain = null, port = null } = mapping;
  const isWeb = kind === 'http' || kind === 'https';
  const isPassthrough = mapping.tls_passthrough === true;
  const isEndedHere = isWeb && !isPassthrough;
  const hasCustomHost = mapping.host_header === 'custom';
  return [
    [!fitsTarget(mapping), 'kind', 'kind.differs-from-target', '`kind` is the protocol that `target` begins with.'],
    [
      isWeb && prefix === null && customDomain === null,
      'prefix',
      'prefix.missing',
      '`http` and `https` need a `prefix` or a `custom_domain`.',
    ],
    [
      prefix !== null && customDomain !== null,
      'custom_domain',
      'prefix.or-domain',
      '`prefix` and `custom_domain` are not given together.',
    ],
    [!isWeb && prefix !== null, 'prefix', 'prefix.not-for-ports', '`tcp` and `udp` have no `prefix`.'],
    [
      !isWeb && customDomain !== null,
      'custom_domain',
      'domain.not-for-ports',
      '`tcp` and `udp` have no `custom_domain`.',
    ],
    [isWeb && port !== null, 'port', 'port.not-for-web', '`http` and `https` have no `port`.'],
    ...judgeOptions(mapping, { kind, hasCustomDomain: customDomain !== null, isPassthrough, hasCustomHost }),
    [
      hasCustomHost && (mapping.host_name ?? '') === '',
      'host_name',
      'host-name.missing',
      'The `host_header` `custom` needs a `host_name`.',
    ],
    [!isInOrder(mapping), 'closes_at', 'end.not-after-start', '`opens_at` is before `closes_at`.'],
    [
      mapping.policy === 'password' && !isEndedHere,
      'policy',
      'policy.password-not-possible',
      'The `policy` `password` is for `http`, and for `https` without `tls_passthrough`.',
    ],
    [
      mapping.policy === 'password' && mapping.password === undefined,
      'password',
      'access-password.missing',
      'The `policy` `password` needs a `password`, given now or before.',
    ],
  ];
}

function judgeOptions(mapping: MappingShape, context: OptionContext): JudgedRule[] {
  return optionNames.flatMap((name) => {
    const { field, initial, rules } = mappingOptions[name];
    const isChosen = mapping[field] !== undefined && mapping[field] !== initial;
    return rules.map(({ isMet, message, text }): JudgedRule => [isChosen && !isMet(context), field, message, text]);
  });
}

const rulesBetweenFields = judgeRules({})
  .map(([, , , rule]) => `- ${rule}`)
  .join('\n');

/** `kind` repeats the target's protocol. If both are given, they must agree. */
function fitsTarget({ kind, target }: MappingShape): boolean {
  const protocol = target === undefined ? undefined : parseTarget(target)?.protocol;
  return kind === undefined || protocol === undefined || protocol === kind; // a wrong target has its own message
}

function isInOrder({ opens_at: opensAt, closes_at: closesAt }: MappingShape): boolean {
  return !opensAt || !closesAt || Date.parse(opensAt) < Date.parse(closesAt);
}

function reportConflicts(mapping: MappingShape, context: z.RefinementCtx): void {
  for (const { path, message } of mappingConflicts(mapping))
    context.addIssue({ code: 'custom', path: [path], message });
}

/** The fields of a mapping that a caller can set, when it is created and later. */
const settable = {
  kind: MappingKind,
  prefix: Prefix,
  custom_domain: CustomDomain,
  port: PublicPort,
  target: Target,
  ...optionsToFields(describedOptions()),
  policy: MappingPolicy,
  password: AccessPassword,
  opens_at: Timestamp.nullable(),
  closes_at: Timestamp.nullable(),
  hours: MappingHours.nullable(),
  remark: personText(MAX_REMARK_LENGTH),
};

type DefaultedOptions = { [Name in keyof MappingOptions]: z.ZodDefault<(typeof optionSchemas)[Name]> };

function defaultedOptions(): DefaultedOptions {
  const described = describedOptions();
  const defaulted = optionNames.map((name) => {
    const schema: z.ZodType = described[name];
    return [name, schema.default(initialOptions[name])];
  });
  return Object.fromEntries(defaulted) as DefaultedOptions; // each schema with the initial value of its own option
}

export const MappingCreate = z
  .strictObject({
    router: GivenId,
    ...settable,
    prefix: settable.prefix.nullable().default(null),
    custom_domain: settable.custom_domain.nullable().default(null),
    port: settable.port.nullable().default(null).describe('tcp and udp; absent: a free one is chosen'),
    ...optionsToFields(defaultedOptions()),
    policy: settable.policy.default('owner'),
    password: settable.password.optional(),
    opens_at: settable.opens_at.default(null),
    closes_at: settable.closes_at.default(null),
    hours: settable.hours.default(null),
    remark: settable.remark.default(''),
  })
  .superRefine(reportConflicts)
  .describe(`Rules between the fields:\n\n${rulesBetweenFields}`);
export type MappingCreate = z.input<typeof MappingCreate>;

export const MappingPatch = z
  .strictObject({
    ...settable,
    password: settable.password.describe('changing it ends the verifications by the former password'),
    enabled: z.boolean(),
    pinned: z.boolean(),
  })
  .partial()
  .refine(fitsTarget, { path: ['kind'], message: fieldMessage('kind.differs-from-target') })
  .describe(
    'A `target` brings its `kind` along. A `prefix` takes the place of a `custom_domain`, and the other way round. ' +
      '`http` and `https` may take each other’s place, and `tcp` and `udp`; no other `kind` may. ' +
      `The mapping must keep these rules after the change:\n\n${rulesBetweenFields}`,
  );
export type MappingPatch = z.infer<typeof MappingPatch>;

/** The fields that decide who may visit. Without them only the owner may. */
export const mappingFieldScopes = {
  policy: { scope: 'access:write', free: 'owner' },
  password: { scope: 'access:write' },
} as const satisfies FieldScopes<keyof MappingPatch>;

/**
 * Fields of a mapping that others may visit, or that its owner has closed, need `access:write` as well. Otherwise a
 * token for mappings could point a public address at another LAN service.
 */
export const sharedMappingScope = {
  scope: 'access:write',
  free: ['remark', 'pinned'],
  rule:
    'While the mapping’s policy is not `owner`, an API token needs the scope `access:write` as well to send any field ' +
    'but `remark` and `pinned`: also to switch it on or off, to change its target, its address or its times, and to make it ' +
    'the owner’s alone.',
} as const satisfies { scope: ApiScope; free: readonly (keyof MappingPatch)[]; rule: string };
