import type { PostgresQueryResult } from 'kysely';
import type { PoolClient } from 'pg';

/**
 * Runs one statement for Kysely; pg answers several in another form. The columns of its rows have their names in the code:
 * `created_at` is `createdAt`. pg's own objects take ten times as long to make, and Kysely's CamelCasePlugin would make each
 * of them again.
 */
export async function queryRows<Row>(
  client: PoolClient,
  text: string,
  values: unknown[],
): Promise<PostgresQueryResult<Row>> {
  const { command, rowCount, rows, fields } = await client.query<unknown[]>({ text, values, rowMode: 'array' });
  const names = fields.map(({ name }) => camelCase(name));
  // The caller says what the query selects, and pg which command it was.
  return { command, rowCount, rows: rows.map((row) => toObject(names, row)) } as PostgresQueryResult<Row>;
}

function camelCase(column: string): string {
  return column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function toObject(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [index, name] of names.entries()) row[name] = values[index];
  return row;
}
