import { type ErrorCode, fieldError } from '@tongtu/contract';
import { isUniqueViolation } from '../../../db/constraint.ts';

const constraints = {
  mapping_server_id_prefix_key: { field: 'prefix', code: 'mapping.prefix-taken' },
  mapping_custom_domain_key: { field: 'custom_domain', code: 'mapping.domain-taken' },
  mapping_server_id_kind_port_key: { field: 'port', code: 'mapping.port-taken' },
} as const satisfies Record<string, { field: string; code: ErrorCode }>;

/** Runs a write. If a unique constraint refuses its address, throws the error of that field. */
export async function translateTakenAddress<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (cause) {
    for (const [constraint, { field, code }] of Object.entries(constraints))
      if (isUniqueViolation(cause, constraint)) throw fieldError(field, code, { cause });
    throw cause;
  }
}
