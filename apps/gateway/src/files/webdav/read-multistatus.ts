import { SaxesParser } from 'saxes';
import { type Attributes, dateOf, type Entry, FileError, MAX_ENTRIES } from '../file-system.ts';

export type Resource = { segments: readonly string[]; attributes: Attributes; freeBytes: number | null };

/** What no answer has. */
const MAX_DEPTH = 32;

const RESPONSE = 'multistatus/response';
const PROPSTAT = `${RESPONSE}/propstat`;
const PROP = `${PROPSTAT}/prop`;

type Properties = Partial<Record<string, string>>;

/**
 * The resources of a PROPFIND's answer (RFC 4918 §14.16), read as it comes: to read a long one at once would hold up all
 * other sessions. Undefined if it is no such answer.
 */
export async function readMultistatus(body: AsyncIterable<Buffer>): Promise<Resource[] | undefined> {
  const resources: Resource[] = [];
  const parser = new SaxesParser({ position: false });
  const decoder = new TextDecoder();
  const open: string[] = [];
  let text = '';
  let href = '';
  let found: Properties = {};
  /** Of one propstat, whose status follows them. */
  let properties: Properties = {};
  let status = '';
  let isWhole = false;

  const close: Partial<Record<string, () => void>> = {
    [`${RESPONSE}/href`]: () => (href = text.trim()),
    [`${PROP}/resourcetype/collection`]: () => (properties['collection'] = ''),
    [`${PROPSTAT}/status`]: () => (status = text),
    [PROPSTAT]: () => {
      if (status === '' || / 2\d\d\b/.test(status)) found = { ...found, ...properties };
      [properties, status] = [{}, ''];
    },
    [RESPONSE]: () => {
      resources.push(resourceOf(href, found));
      if (resources.length > MAX_ENTRIES) throw new FileError('too-many-entries');
      [href, found] = ['', {}];
    },
    multistatus: () => (isWhole = true),
  };
  for (const name of ['getcontentlength', 'getlastmodified', 'quota-available-bytes'])
    close[`${PROP}/${name}`] = () => (properties[name] = text.trim());

  parser.on('error', () => {}); // servers make mistakes; what counts is that the answer has an end
  parser.on('opentag', ({ name }) => {
    open.push(name.slice(name.indexOf(':') + 1));
    if (open.length > MAX_DEPTH) throw new RangeError('too deep');
    text = '';
  });
  parser.on('text', (part) => (text += part));
  parser.on('cdata', (part) => (text += part));
  parser.on('closetag', () => {
    close[open.join('/')]?.();
    open.pop();
  });
  for await (const bytes of body) parser.write(decoder.decode(bytes, { stream: true }));
  parser.write(decoder.decode()).close();
  return isWhole ? resources : undefined;
}

/** What is in a folder: of its own answer, all that is deeper than the folder itself. */
export function entriesIn(resources: readonly Resource[]): Entry[] {
  const depth = shallowest(resources)?.segments.length ?? 0;
  return resources
    .filter(({ segments }) => segments.length > depth)
    .map(({ segments, attributes }) => ({ name: nameFrom(segments.at(-1) ?? ''), ...attributes }));
}

/** The folder itself. */
export function shallowest(resources: readonly Resource[]): Resource | undefined {
  return resources.toSorted((one, other) => one.segments.length - other.segments.length)[0];
}

function resourceOf(href: string, properties: Properties): Resource {
  return {
    segments: href
      .replace(/^https?:\/\/[^/]*/, '')
      .split('/')
      .filter((segment) => segment !== ''),
    attributes: {
      type: properties['collection'] === undefined ? 'file' : 'folder',
      size: numberFrom(properties['getcontentlength']),
      modifiedAt: dateOf(Date.parse(properties['getlastmodified'] ?? '')),
    },
    freeBytes: numberFrom(properties['quota-available-bytes']),
  };
}

/** A property that the server does not have is empty. */
function numberFrom(text = ''): number | null {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}

/** A name that is not well coded stays as it is, and is then no possible one. */
function nameFrom(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return `\ufffd${segment}`;
  }
}
