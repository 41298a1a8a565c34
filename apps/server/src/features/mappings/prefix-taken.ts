import { AppError, errorCatalogue, type ErrorCode } from '@tongtu/contract';

/** Runs a write and says `mapping.prefix-taken` where the unique constraint refused it. */
export async function refusingTakenPrefix<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (cause) {
    if (isPrefixConflict(cause)) throw prefixError('mapping.prefix-taken', cause);
    throw cause;
  }
}

export function prefixError(code: ErrorCode, cause?: unknown): AppError {
  return new AppError(code, { cause, fields: { prefix: [errorCatalogue[code].detail] } });
}

function isPrefixConflict(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('constraint' in error)) return false;
  return error.code === '23505' && error.constraint === 'mapping_server_id_prefix_key';
}
