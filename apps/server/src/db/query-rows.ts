import type { PostgresQueryResult } from 'kysely';
import type { PoolClient } from 'pg';

type MakeRow = (values: readonly unknown[]) => Record<string, unknown>;

/** More different lists of columns than the code selects. */
const MAX_KEPT = 1_000;
const kept = new Map<string, MakeRow>();

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
  // The caller says what the query selects, and pg which command it was.
  return { command, rowCount, rows: rows.map(rowMakerOf(fields)) } as PostgresQueryResult<Row>;
}

function rowMakerOf(fields: readonly { name: string }[]): MakeRow {
  const names = fields.map(({ name }) => camelCase(name));
  const columns = JSON.stringify(names);
  const found = kept.get(columns);
  if (found) return found;
  if (kept.size >= MAX_KEPT) kept.clear();
  const made = compile(names);
  kept.set(columns, made);
  return made;
}

/**
 * Compiles `values => ({ "id": values[0], "createdAt": values[1] })`: an object whose properties are set in a loop takes
 * several times as long, to make and to read. The names are those of our queries, and quoted.
 */
function compile(names: readonly string[]): MakeRow {
  const properties = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  // oxlint-disable-next-line typescript/no-implied-eval
  return new Function('values', `return { ${properties.join(', ')} };`) as MakeRow;
}

function camelCase(column: string): string {
  return column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
