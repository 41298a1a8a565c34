import { type Field, fieldLines, isFieldName, listElements, trimBlanks } from '../http/fields.ts';
import { HttpRefusal } from '../http/http-refusal.ts';

/** The words of a status line that browsers and players read. SHOUTcast writes ICY. */
const STATUS_LINE = /^(?:HTTP(?:\/([0-9]{0,3})(?:\.([0-9]{0,3}))?)?|ICY)[ \t]+([1-9][0-9]{2})(?![0-9])(.*)$/i;
/** All but the tab, and NUL, which no reader accepts. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\x01-\x08\x0a-\x1f\x7f]/g;
const BEGINS_WITH_BLANK = /^[ \t]/;
const FRAMING = /content-length|transfer-encoding/i;
/** A line that some reader may still take for one that frames the body, such as `Transfer-Encoding\x0b`. */
const LIKE_FRAMING = /(?:contentlength|transferencoding)$/;
const LAST_STATUS = 599;
const CODINGS = new Set(['chunked', 'identity']);

/**
 * Reads an improper head as browsers do, and writes it as a proper one. Throws HttpRefusal where readers would differ about
 * the end of the body. docs/http.md lists what they were found to do.
 */
export function repairResponseHead(text: string): string {
  const [statusLine = '', ...lines] = linesOf(text.replace(/^[\r\n]+/, ''));
  refuseHidden(statusLine);
  const line = STATUS_LINE.exec(withoutControls(statusLine));
  if (line === null) throw new HttpRefusal('malformed status line');
  const [, major = '', minor = '', status, reason = ''] = line;
  const isOld = Number(major) < 1 || (Number(major) === 1 && Number(minor) < 1);
  const fields = repairFraming(repairFields(lines), { isOld });
  // RFC 9110 §15: an unknown class means a failure of the server.
  const known = Number(status) > LAST_STATUS ? 500 : status;
  return `HTTP/1.1 ${known} ${trimBlanks(reason, 0, reason.length)}\r\n${fieldLines(fields)}`;
}

/** Reads improper field lines. Those that browsers ignore are left out. Throws HttpRefusal. */
export function repairFields(lines: readonly string[]): Field[] {
  return unfold(lines).flatMap((line) => fieldOf(line) ?? []);
}

/** RFC 9112 §5.2: a line that begins with a blank continues the one before it. The first one has none, and is left out. */
function unfold(lines: readonly string[]): string[] {
  const unfolded: string[][] = [];
  for (const line of lines) {
    refuseHidden(line);
    if (BEGINS_WITH_BLANK.test(line)) unfolded.at(-1)?.push(trimBlanks(line, 0, line.length));
    else unfolded.push([line]);
  }
  return unfolded.map((parts) => parts.join(' '));
}

/** The lines without their ends. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

function fieldOf(line: string): Field | undefined {
  const colon = line.indexOf(':');
  if (colon === -1) return undefined;
  const name = trimBlanks(line, 0, colon);
  if (isFieldName(name)) return { name, key: name.toLowerCase(), value: valueOf(line.slice(colon + 1)) };
  if (LIKE_FRAMING.test(name.toLowerCase().replaceAll(/[^a-z]/g, ''))) throw new HttpRefusal('malformed field name');
  return undefined;
}

/** RFC 9112 §2.2: a bare CR is invalid or a blank. Chromium ends the line there, so no framing may follow it. */
function refuseHidden(line: string): void {
  const cr = line.indexOf('\r');
  if (cr !== -1 && FRAMING.test(line.slice(cr))) throw new HttpRefusal('bare CR before framing');
}

function valueOf(text: string): string {
  const value = withoutControls(text);
  return trimBlanks(value, 0, value.length);
}

function withoutControls(text: string): string {
  if (text.includes('\0')) throw new HttpRefusal('NUL in a head');
  return text.replaceAll(CONTROLS, ' ');
}

/** At most one field that frames the body, in the strict form. */
function repairFraming(fields: readonly Field[], { isOld }: { isOld: boolean }): Field[] {
  const rest = fields.filter(({ key }) => key !== 'content-length' && key !== 'transfer-encoding');
  const length = repairLength(valuesOf(fields, 'content-length'));
  const isChunked = isChunkedBy(valuesOf(fields, 'transfer-encoding'));
  // curl decodes the chunks, Chromium counts the bytes.
  if (isChunked && isOld && length !== undefined)
    throw new HttpRefusal('Content-Length and Transfer-Encoding in HTTP/1.0');
  if (isChunked) rest.unshift({ name: 'Transfer-Encoding', key: 'transfer-encoding', value: 'chunked' });
  else if (length !== undefined) rest.unshift({ name: 'Content-Length', key: 'content-length', value: length });
  return rest;
}

function valuesOf(fields: readonly Field[], key: string): string[] {
  return fields.filter((field) => field.key === key).map(({ value }) => value);
}

/** RFC 9112 §6.3: the same length several times is that length. */
function repairLength(values: readonly string[]): string | undefined {
  const lengths = values.flatMap((value) => value.split(',').map((length) => trimBlanks(length, 0, length.length)));
  const [first] = lengths;
  if (lengths.some((length) => length !== first)) throw new HttpRefusal('different lengths');
  return first;
}

/** Chunked twice is once, and `identity` is no coding, unless it stands behind. */
function isChunkedBy(values: readonly string[]): boolean {
  const codings = values.flatMap(listElements);
  if (codings.some((coding) => !CODINGS.has(coding))) throw new HttpRefusal('unknown transfer coding', 501);
  const isChunked = codings.includes('chunked');
  if (isChunked && codings.at(-1) !== 'chunked') throw new HttpRefusal('a coding after chunked');
  return isChunked;
}
