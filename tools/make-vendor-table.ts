/**
 * Writes the table of the makers of network cards. Its source is a package that nothing else needs:
 * `npm pack oui-data && tar xzf oui-data-*.tgz && node tools/make-vendor-table.ts package/index.json`
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const FILE = path.join(import.meta.dirname, '../apps/server/src/features/discovery/vendors/vendors.txt.br');
const MAX_NAME_LENGTH = 40;
/** Not needed to recognize a company. */
const LEGAL_FORM =
  /[,.\s]+(?:co\.?,?\s*,?ltd|company limited|co|ltd|inc|incorporated|corp|corporation|limited|gmbh(?: & co\.? kg)?|llc|ag|kg|s\.?p\.?a|s\.?a\.?s?|b\.?v|pty|plc|oy|ab|a\/s|srl|k\.k)\.?$/i;

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error('usage: node tools/make-vendor-table.ts <index.json of oui-data>');
const vendors = JSON.parse(await readFile(source, 'utf8')) as Record<string, string>; // the package's own format
const lines = Object.entries(vendors).map(([prefix, entry]) => `${prefix.toUpperCase()}\t${nameOf(entry)}`);
const text = `${lines.toSorted().join('\n')}\n`;
const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
const bytes = brotliCompressSync(text, { params });
await writeFile(FILE, bytes);
process.stdout.write(`${lines.length} prefixes, ${text.length} bytes, ${bytes.length} compressed\n`);

/** The first line of an entry is the name, the others are the address. */
function nameOf(entry: string): string {
  let name = (entry.split('\n')[0] ?? '').replaceAll(/\s+/g, ' ').trim();
  while (LEGAL_FORM.test(name)) name = name.replace(LEGAL_FORM, '');
  return name.slice(0, MAX_NAME_LENGTH).trim();
}
