import { CamelCasePlugin, type PluginTransformResultArgs, type QueryResult, type UnknownRow } from 'kysely';

/** Kysely's CamelCasePlugin, which looks up the names of a result's columns once, not once for each row. */
export class RowKeysPlugin extends CamelCasePlugin {
  constructor() {
    super({ maintainNestedObjectKeys: true });
  }

  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const { rows } = result;
    const [first] = rows;
    if (first === undefined) return result;
    // All rows of a result have the same columns.
    const names = Object.keys(first).map((name) => ({ name, renamed: this.camelCase(name) }));
    return { ...result, rows: rows.map((row) => rename(row, names)) };
  }
}

function rename(row: UnknownRow, names: readonly { name: string; renamed: string }[]): UnknownRow {
  const renamedRow: UnknownRow = {};
  for (const { name, renamed } of names) renamedRow[renamed] = row[name];
  return renamedRow;
}
