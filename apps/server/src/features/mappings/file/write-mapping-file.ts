import { FileMapping } from '@tongtu/contract';
import { Document } from 'yaml';
import { settableFields } from '../mapping-columns.ts';
import type { MappingRow } from '../mapping-store.ts';

const heading =
  ' 通途：一台设备的全部域名映射。没有写出的字段取默认值；访问密码不在文件中。\n count 必须与映射的条数一致，并写在最后。';

/** The mappings as a file, without access passwords. Fields with their initial value are left out. */
export function writeMappingFile(rows: readonly MappingRow[]): string {
  const mappings = rows.map((row) => withoutInitial(settableFields(row)));
  const document = new Document({ version: 1, mappings, count: mappings.length });
  document.commentBefore = heading;
  return document.toString({ lineWidth: 0 });
}

function withoutInitial(fields: ReturnType<typeof settableFields>): object {
  const { kind: _kind, target, ...others } = fields; // the target begins with the kind
  const initial: Record<string, unknown> = FileMapping.parse({ target });
  const chosen = Object.entries(others).filter(([name, value]) => value !== null && value !== initial[name]);
  const { prefix, custom_domain: domain, port, ...options } = Object.fromEntries(chosen);
  const address = Object.entries({ prefix, custom_domain: domain, port }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(address), target, ...options };
}
