// A thread that is started for one file loads no more of the contract than it needs.
import type { LocalizedText } from '@tongtu/contract';
import { AppError } from '@tongtu/contract/errors';
import { MAX_MAPPINGS_PER_DEVICE } from '@tongtu/contract/limits';
import { FileMapping, MappingFile } from '@tongtu/contract/mapping-file';
import { parseTarget } from '@tongtu/contract/mappings';
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import { parseRequest } from '../../../http/field-errors.ts';
import { fileError, type LineError, withField } from './file-errors.ts';
import { yamlErrorText } from './yaml-error-text.ts';

/** A mapping of the file, with the line where it begins. */
export type FileEntry = { line: number; mapping: FileMapping };

type Path = readonly (string | number)[];

/** Of a file. A mapping with all its fields has 182. */
const MAX_TOKENS = 240 * MAX_MAPPINGS_PER_DEVICE;

/** Reads a file whole. Throws mapping-file.invalid with a message for each line that is not valid. */
export function readMappingFile(yaml: string): FileEntry[] {
  const lines = new LineCounter();
  const document = parse(yaml, lines);
  const lineOf = (path: Path) => lineOfPath(document, lines, path);
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  if (isMap(document.contents) && !document.has('count'))
    throw fileError([{ line: lines.linePos(yaml.trimEnd().length).line, text: noCount }]);
  const file = readPart(MappingFile, value, { prefix: [], lineOf });
  if (!file.ok) throw fileError(file.errors);
  const { mappings, count } = file.data;
  if (mappings.length > MAX_MAPPINGS_PER_DEVICE) {
    const line = lineOf(['mappings', MAX_MAPPINGS_PER_DEVICE]);
    throw fileError([{ line, text: tooMany }]);
  }
  if (mappings.length !== count) throw fileError([{ line: lineOf(['count']), text: otherCount(mappings.length) }]);
  const read = mappings.map((mapping, index) => {
    const prefix = ['mappings', index];
    return { ...readPart(FileMapping, mapping, { prefix, lineOf }), line: lineOf(prefix) };
  });
  const errors = read.flatMap((entry) => (entry.ok ? [] : entry.errors));
  if (errors.length > 0) throw fileError(errors);
  const entries = read.flatMap((entry) => (entry.ok ? [{ line: entry.line, mapping: withKind(entry.data) }] : []));
  assertOnce(entries);
  return entries;
}

/** What identifies a mapping on its device: its public address. */
export function addressOf(mapping: Pick<FileMapping, 'kind' | 'prefix' | 'custom_domain' | 'port'>): string {
  if (mapping.prefix !== null) return mapping.prefix;
  return mapping.custom_domain ?? `${mapping.kind ?? ''}:${mapping.port ?? ''}`;
}

const tooMany: LocalizedText = {
  zh: `一台设备最多 ${MAX_MAPPINGS_PER_DEVICE} 条映射，从这一条起超出了`,
  en: `A device may have ${MAX_MAPPINGS_PER_DEVICE} mappings; this one is too many`,
};
const noCount: LocalizedText = {
  zh: '没有 count，文件可能不完整：最后一行须写明映射的条数，如 count: 2',
  en: 'There is no count: the file may be incomplete. Its last line must say how many mappings there are, as in count: 2',
};
const noAliases: LocalizedText = {
  zh: '不支持锚点和引用（& 和 *）',
  en: 'Anchors and aliases (& and *) are not supported',
};
const keyTwice = yamlErrorText({ code: 'DUPLICATE_KEY', message: 'Map keys must be unique' });
const noText: LocalizedText = { zh: '字段名必须是文字', en: 'The name of a field must be a text' };
const tooManyParts: LocalizedText = {
  zh: '内容过多，不是一台设备的映射',
  en: 'There is too much in the file for the mappings of a device',
};
const tooDeep: LocalizedText = { zh: '嵌套层数过多', en: 'The file is nested too deeply' };
const noPort: LocalizedText = {
  zh: 'tcp 和 udp 映射必须写明公网端口 port',
  en: 'A mapping of tcp or udp must name its public port',
};

function otherCount(found: number): LocalizedText {
  return {
    zh: `count 与实际的 ${found} 条映射不符，文件可能不完整`,
    en: `There are ${found} mappings, which is not the count: the file may be incomplete`,
  };
}

function parse(yaml: string, lineCounter: LineCounter): Document {
  if (hasTooManyTokens(yaml)) throw fileError([{ line: 1, text: tooManyParts }]);
  try {
    // The library compares each key with all others, so a map of many keys would take minutes.
    const document = parseDocument(yaml, { lineCounter, prettyErrors: false, schema: 'core', uniqueKeys: false });
    const firsts = new Map<number, LineError>(); // of each line: it often causes the others
    for (const error of [...document.errors, ...document.warnings]) {
      const { line } = lineCounter.linePos(error.pos[0]);
      if (!firsts.has(line)) firsts.set(line, { line, text: yamlErrorText(error) });
    }
    const errors = [...firsts.values()];
    visit(document, {
      Node(_key, node) {
        const lineOf = (part: Node) => lineCounter.linePos(part.range?.[0] ?? 0).line;
        if (isAlias(node) || node.anchor !== undefined) errors.push({ line: lineOf(node), text: noAliases });
        if (isMap(node))
          errors.push(...wrongKeysOf(node).map(({ key, text }) => ({ line: lineOf(key ?? node), text })));
      },
    });
    if (errors.length > 0) throw fileError(errors);
    return document;
  } catch (error) {
    // The parser calls itself for each level.
    if (error instanceof RangeError) throw fileError([{ line: 1, text: tooDeep }], { cause: error });
    throw error;
  }
}

/**
 * The parser takes up to 2 KB for a token. A thread at its memory limit can end the whole process, so this is found out
 * before, in constant memory.
 */
function hasTooManyTokens(yaml: string): boolean {
  let count = 0;
  for (const _token of new Lexer().lex(yaml)) if (++count > MAX_TOKENS) return true;
  return false;
}

/** Keys that are no text, or that occur a second time. */
function wrongKeysOf(map: YAMLMap): { key: Node | undefined; text: LocalizedText }[] {
  const names = new Set<unknown>();
  return map.items.flatMap(({ key }) => {
    if (!isScalar(key) || typeof key.value !== 'string') return [{ key: isNode(key) ? key : undefined, text: noText }];
    if (names.has(key.value)) return [{ key, text: keyTwice }];
    names.add(key.value);
    return [];
  });
}

type Part<Data> = { ok: true; data: Data } | { ok: false; errors: LineError[] };

function readPart<Schema extends typeof MappingFile | typeof FileMapping>(
  schema: Schema,
  value: unknown,
  { prefix, lineOf }: { prefix: Path; lineOf: (path: Path) => number },
): Part<ReturnType<Schema['parse']>> {
  try {
    // The schema's own output type is lost in the union.
    return { ok: true, data: parseRequest(schema, value) as ReturnType<Schema['parse']> };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const errors = Object.entries(error.fields ?? {}).flatMap(([name, texts]) => {
      const path = [...prefix, ...name.split('.').filter((part) => part !== '')];
      return texts.map((text) => ({ line: lineOf(path), text: withField(name, text) }));
    });
    return { ok: false, errors };
  }
}

/** Of the key or the item at the path; where there is none, of the nearest part around it. */
function lineOfPath(document: Document, lines: LineCounter, path: Path): number {
  let offset = 0;
  let node: unknown = document.contents;
  for (const part of path) {
    const key = isMap(node)
      ? node.items.find(({ key: name }) => isScalar(name) && name.value === part)?.key
      : undefined;
    const next: unknown = isMap(node) || isNode(node) ? document.getIn(pathTo(path, part), true) : undefined;
    if (isNode(key)) offset = key.range?.[0] ?? offset;
    else if (isNode(next)) offset = next.range?.[0] ?? offset;
    else break;
    node = next;
  }
  return lines.linePos(offset).line || 1;
}

function pathTo(path: Path, part: string | number): Path {
  return path.slice(0, path.indexOf(part) + 1);
}

function withKind(mapping: FileMapping): FileMapping {
  return { ...mapping, kind: mapping.kind ?? parseTarget(mapping.target)?.protocol };
}

function assertOnce(entries: readonly FileEntry[]): void {
  const lines = new Map<string, number>();
  const errors: LineError[] = [];
  for (const { line, mapping } of entries) {
    const isPort = mapping.kind === 'tcp' || mapping.kind === 'udp';
    if (isPort && mapping.port === null) errors.push({ line, text: noPort });
    const address = addressOf(mapping);
    const before = lines.get(address);
    if (before !== undefined)
      errors.push({
        line,
        text: { zh: `与第 ${before} 行的地址重复：${address}`, en: `${address} is also at line ${before}` },
      });
    lines.set(address, line);
  }
  if (errors.length > 0) throw fileError(errors);
}
