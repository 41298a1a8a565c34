import { z } from 'zod';
import type { Endpoints, FieldScopes } from '../endpoint.ts';
import { MAX_MAPPING_FILE_LENGTH } from '../limits.ts';
import { IdParams } from '../shared.ts';
import { MappingCreate } from './mappings.ts';

const { router: _router, password: _password, ...settable } = MappingCreate.shape;

/**
 * A mapping in a file. A field that is absent has its initial value. There is no access password: a mapping keeps the one that
 * it has. The rules between fields are checked when the stored password is known.
 */
export const FileMapping = z.strictObject({
  ...settable,
  kind: settable.kind.optional(),
  enabled: z.boolean().default(true),
  pinned: z.boolean().default(false),
});
export type FileMapping = z.output<typeof FileMapping>;

/** All mappings of a device. `count` comes last, so a file that was cut off does not have it. */
export const MappingFile = z.strictObject({
  version: z.literal(1),
  mappings: z.array(z.unknown()),
  count: z.number().int().nonnegative(),
});

const MappingImport = z.strictObject({
  yaml: z.string().max(MAX_MAPPING_FILE_LENGTH).describe('the file, as the export gives it'),
  dry_run: z.boolean().describe('true: nothing is changed, and the reply says what would be'),
  delete_others: z
    .boolean()
    .default(false)
    .describe('true: mappings of the device that the file does not name are deleted'),
});

export const MappingImportResult = z.object({
  added: z.array(z.string()).describe('public addresses'),
  changed: z.array(z.object({ address: z.string(), fields: z.array(z.string()) })),
  deleted: z.array(z.string()),
  kept: z.array(z.string()).describe('on the device, but not in the file'),
  unchanged: z.number().int().nonnegative(),
});
export type MappingImportResult = z.infer<typeof MappingImportResult>;

/** A file decides who may visit, so it needs the scope for access as well. */
const mappingFileScopes = { yaml: { scope: 'access:write' } } as const satisfies FieldScopes<
  keyof z.infer<typeof MappingImport>
>;

/** A device's mappings as a YAML file. */
export const mappingFileEndpoints = {
  'GET /api/user/routers/{id}/mapping_file/': {
    summary: '导出设备的全部域名映射（YAML，不含访问密码）',
    params: IdParams,
    response: z.object({ yaml: z.string() }),
    scope: 'devices:read',
    errors: ['session.required', 'device.not-found'],
  },
  'POST /api/user/routers/{id}/mapping_file/': {
    summary: '从 YAML 文件导入域名映射；全部有效才会写入',
    description:
      'A mapping of the file is the device’s mapping with the same `prefix`, `custom_domain`, or kind and `port`; the fields ' +
      'that the file leaves out get their initial values. All of it is written or nothing, and the same file applied twice ' +
      'changes nothing. An invalid file is answered with `mapping-file.invalid`; the messages of the field `yaml` name the lines.',
    params: IdParams,
    body: MappingImport,
    response: MappingImportResult,
    scope: 'mappings:write',
    fieldScopes: mappingFileScopes,
    confirmed: 'by-content',
    errors: [
      ...(['session.required', 'session.scope', 'device.not-found'] as const),
      'session.confirm-required',
      ...(['mapping-file.invalid', 'plan.expired', 'server.unavailable'] as const),
    ],
  },
} as const satisfies Endpoints;
