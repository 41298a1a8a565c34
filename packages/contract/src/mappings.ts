import { z } from 'zod';
import { Id, personText } from './shared.ts';

export const MappingPolicy = z.enum(['owner', 'public']);
export type MappingPolicy = z.infer<typeof MappingPolicy>;

export const MappingKind = z.enum(['http', 'https']).describe('the protocol the LAN service speaks');
export type MappingKind = z.infer<typeof MappingKind>;

/** One DNS label (RFC 1035 §2.3.1), lower case, without punycode look-alikes. */
export const Prefix = z
  .string()
  .min(1, '请输入域名前缀')
  .max(63, '域名前缀不能超过 63 个字符')
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, '域名前缀只能使用小写字母、数字和连字符，且不能以连字符开头或结尾')
  .refine((prefix) => prefix.slice(2, 4) !== '--', '域名前缀的第 3、4 位不能同时是连字符');

/** Where in the LAN a mapping leads, e.g. `http://192.168.1.10:5000`: an origin, without path. */
export const Target = z
  .string()
  .trim()
  .max(300)
  .refine((text) => parseTarget(text) !== undefined, '目标地址格式应如 http://192.168.1.10:5000');

export type ParsedTarget = { protocol: MappingKind; host: string; port: number };

/** Splits a target; undefined when it is anything but `http(s)://host[:port][/]`. */
export function parseTarget(text: string): ParsedTarget | undefined {
  const match = /^(https?):\/\/([a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?\/?$/i.exec(text.trim());
  if (!match || !URL.canParse(text.trim())) return undefined;
  const protocol = match[1]!.toLowerCase() as MappingKind; // the expression matched http or https
  const port = match[3] === undefined ? (protocol === 'https' ? 443 : 80) : Number(match[3]);
  if (port < 1 || port > 65_535) return undefined;
  return { protocol, host: new URL(text.trim()).hostname.replace(/^\[|\]$/g, ''), port };
}

export const Mapping = z.object({
  id: Id,
  router: Id,
  kind: MappingKind,
  prefix: z.string(),
  domain: z.string(),
  url: z.string().describe('the public address'),
  target: z.string(),
  policy: MappingPolicy,
  remark: z.string(),
  enabled: z.boolean(),
  created_at: z.iso.datetime(),
});
export type Mapping = z.infer<typeof Mapping>;

/** `kind` repeats the target's protocol; where both are given and differ, one of them is a mistake. */
function kindFitsTarget(mapping: { kind?: MappingKind | undefined; target?: string | undefined }): boolean {
  if (mapping.kind === undefined || mapping.target === undefined) return true;
  const protocol = parseTarget(mapping.target)?.protocol;
  return protocol === undefined || protocol === mapping.kind; // a wrong target has been named at its own field
}
const kindMismatch = { path: ['kind'], message: '协议与目标地址开头的 http:// 或 https:// 不一致' };

export const MappingCreate = z
  .strictObject({
    router: Id.max(2_147_483_647),
    kind: MappingKind,
    prefix: Prefix,
    target: Target,
    policy: MappingPolicy.default('owner'),
    remark: personText(100).default(''),
  })
  .refine(kindFitsTarget, kindMismatch);
export type MappingCreate = z.input<typeof MappingCreate>;

export const MappingPatch = z
  .strictObject({
    prefix: Prefix.optional(),
    kind: MappingKind.optional(),
    target: Target.optional(),
    policy: MappingPolicy.optional(),
    remark: personText(100).optional(),
    enabled: z.boolean().optional(),
  })
  .refine(kindFitsTarget, kindMismatch);
export type MappingPatch = z.infer<typeof MappingPatch>;
