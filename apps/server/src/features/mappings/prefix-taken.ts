import { AppError, errorCatalogue, type ErrorCode } from '@tongtu/contract';
import { isUniqueViolation } from '../../db/constraint.ts';

/** Runs a write and says `mapping.prefix-taken` where the unique constraint refused it. */
export async function refusingTakenPrefix<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (cause) {
    if (isUniqueViolation(cause, 'mapping_server_id_prefix_key')) throw prefixError('mapping.prefix-taken', cause);
    throw cause;
  }
}

export function prefixError(code: ErrorCode, cause?: unknown): AppError {
  return new AppError(code, { cause, fields: { prefix: [errorCatalogue[code].detail] } });
}
