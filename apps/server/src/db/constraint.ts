import pg from 'pg';

const UNIQUE_VIOLATION = '23505';

/** True when this unique constraint or index refused a write. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint;
}
