import { z } from 'zod';
import { MappingCertificate } from './certificates.ts';
import type { ApiScope, FieldScopes } from './endpoint.ts';
import { fieldMessage, type FieldMessage } from './field-messages.ts';
import { MAX_ACCESS_PASSWORD_LENGTH, MAX_REMARK_LENGTH, MIN_ACCESS_PASSWORD_LENGTH } from './limits.ts';
import {
  initialOptions,
  mappingOptions,
  type MappingOptions,
  type OptionContext,
  type OptionField,
  optionNames,
  optionsToFields,
} from './mapping-options.ts';
import { Id, personText, Timestamp } from './shared.ts';

/**
 * Who may visit. `owner`: verified visitors; `password`: also those who know the mapping's password; `public`: anybody;
 * `closed`: nobody, not even the owner.
 */
export const MappingPolicy = z.enum(['owner', 'password', 'public', 'closed']);
export type MappingPolicy = z.infer<typeof MappingPolicy>;

export const MappingKind = z.enum(['http', 'https', 'tcp', 'udp']).describe('the protocol the LAN service speaks');
export type MappingKind = z.infer<typeof MappingKind>;

/** The values of the options, as the relays' routes have them. */
export const optionSchemas = {
  tlsPassthrough: z.boolean(),
  verifyTls: z.boolean(),
  proxyProtocol: z.boolean(),
  hostHeader: z.enum(['keep', 'rewrite']).describe(mappingOptions.hostHeader.description),
} satisfies { [Name in keyof MappingOptions]: z.ZodType<MappingOptions[Name]> };

/** One DNS label (RFC 1035 §2.3.1), lower case, without punycode look-alikes. */
export const Prefix = z
  .string()
  .min(1, fieldMessage('prefix.missing'))
  .max(63, fieldMessage('prefix.too-long'))
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, fieldMessage('prefix.shape'))
  .refine((prefix) => prefix.slice(2, 4) !== '--', fieldMessage('prefix.punycode'))
  .describe('one DNS label in lower case, without hyphens at both its third and fourth place');

/** A whole domain of the user's own, in any spelling; an internationalized one is kept as punycode. */
export const CustomDomain = z
  .string()
  .trim()
  .toLowerCase()
  .overwrite(asciiDomain)
  .max(253, fieldMessage('domain.too-long'))
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/, fieldMessage('domain.shape'));

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
  .min(MIN_ACCESS_PASSWORD_LENGTH, fieldMessage('access-password.too-short'))
  .max(MAX_ACCESS_PASSWORD_LENGTH, fieldMessage('access-password.too-long'))
  .regex(/^\P{Cc}*$/u, fieldMessage('text.control'));

const portRule = fieldMessage('port.range');
const PublicPort = z.number(portRule).int(portRule).min(1, portRule).max(65_535, portRule);

/** Where in the LAN a mapping leads, e.g. `http://192.168.1.10:5000` or `tcp://192.168.1.10:22`: without path. */
export const Target = z
  .string()
  .trim()
  .max(300)
  .refine((text) => parseTarget(text) !== undefined, fieldMessage('target.shape'))
  .describe(
    '`kind://host[:port]`, without a path; `tcp` and `udp` need the port. The host is an address or a name of the device’s own ' +
      'network, and neither link-local nor where a cloud hands a machine its credentials.',
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

const clockRule = fieldMessage('hours.clock');
const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, clockRule);

/** When visitors may come, by Beijing time; an end before the beginning lies on the next day. */
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
  return Object.fromEntries(described) as typeof optionSchemas; // a description leaves a schema's type as it is
}

/** How a domain of the user's own stands with its DNS record. The server checks it by itself until it leads here. */
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
  ...optionsToFields(describedOptions()),
  policy: MappingPolicy,
  has_password: z.boolean().describe('an access password is set, whether or not the policy asks for it'),
  opens_at: Timestamp.nullable(),
  closes_at: Timestamp.nullable(),
  hours: MappingHours.nullable(),
  remark: z.string(),
  enabled: z.boolean(),
  pinned: z.boolean().describe('its owner wants to see it first'),
  dns: MappingDns.nullable().describe('null: not a custom domain'),
  certificate: MappingCertificate.nullable().describe('null: none is ordered for this address'),
  usage_24h: UsageTotal.describe('of the last 24 clock hours, the running one included'),
  created_at: Timestamp,
});
export type Mapping = z.infer<typeof Mapping>;

/** What of a mapping must fit together; absent means: not said. */
type CheckedField =
  | ('kind' | 'prefix' | 'custom_domain' | 'port' | 'target' | 'opens_at' | 'closes_at' | 'policy')
  | OptionField;
export type MappingShape = { [Field in CheckedField]?: Mapping[Field] | undefined } & {
  /** The one that is set, or anything in its place where it is not known. */
  password?: string | undefined;
};
export type MappingConflict = { path: keyof MappingShape; message: FieldMessage };

/** What of a whole mapping contradicts itself, each at the field to change. Empty: nothing does. */
export function mappingConflicts(mapping: MappingShape): MappingConflict[] {
  return judgeRules(mapping).flatMap(([isBroken, path, message]) => (isBroken ? [{ path, message }] : []));
}

type JudgedRule = [isBroken: boolean, path: MappingConflict['path'], message: FieldMessage, rule: string];

/** Each rule between the fields, with what is said to who breaks it, and to the readers of the API's document. */
function judgeRules(mapping: MappingShape): JudgedRule[] {
  const { kind = 'http', prefix = null, custom_domain: customDomain = null, port = null } = mapping;
  const isWeb = kind === 'http' || kind === 'https';
  const isPassthrough = mapping.tls_passthrough === true;
  const isEndedHere = isWeb && !isPassthrough;
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
    ...judgeOptions(mapping, { kind, hasCustomDomain: customDomain !== null, isPassthrough }),
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

/** What a caller sets of a mapping, when it is made and later. */
const settable = {
  kind: MappingKind,
  prefix: Prefix,
  custom_domain: CustomDomain,
  port: PublicPort,
  target: Target,
  ...optionsToFields(optionSchemas),
  policy: MappingPolicy,
  password: AccessPassword,
  opens_at: Timestamp.nullable(),
  closes_at: Timestamp.nullable(),
  hours: MappingHours.nullable(),
  remark: personText(MAX_REMARK_LENGTH),
};

type DefaultedOptions = { [Name in keyof MappingOptions]: z.ZodDefault<(typeof optionSchemas)[Name]> };

function defaultedOptions(): DefaultedOptions {
  const defaulted = optionNames.map((name) => {
    const schema: z.ZodType = optionSchemas[name];
    return [name, schema.default(initialOptions[name])];
  });
  return Object.fromEntries(defaulted) as DefaultedOptions; // each schema with the initial value of its own option
}

export const MappingCreate = z
  .strictObject({
    router: Id.max(2_147_483_647),
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
    password: settable.password.describe('another one ends what the one before has let in'),
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

/** What says who may visit. Without it a mapping is its owner's alone. */
export const mappingFieldScopes = {
  policy: { scope: 'access:write', free: 'owner' },
  password: { scope: 'access:write' },
} as const satisfies FieldScopes<keyof MappingPatch>;

/**
 * An address that others than its owner may visit, or that its owner has closed to all, leads where and is open when the
 * holder of `access:write` says: else a token for mappings could put another LAN service in the public's reach.
 */
export const sharedMappingScope = {
  scope: 'access:write',
  free: ['remark', 'pinned'],
  rule:
    'While the mapping’s policy is not `owner`, an API token needs the scope `access:write` as well to send any field ' +
    'but `remark` and `pinned`: also to switch it on or off, to change its target, its address or its times, and to make it ' +
    'the owner’s alone.',
} as const satisfies { scope: ApiScope; free: readonly (keyof MappingPatch)[]; rule: string };
