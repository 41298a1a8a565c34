import { type DAVResultResponse, parseXML } from 'webdav';
import { type Attributes, dateOf, type Entry, MAX_ENTRIES, FileError } from '../file-system.ts';

export type Resource = { segments: readonly string[]; attributes: Attributes; freeBytes: number | null };

/** The resources of a PROPFIND's answer (RFC 4918 §14.16). */
export async function readMultistatus(xml: string): Promise<Resource[]> {
  const { multistatus } = await parseXML(xml);
  if (multistatus.response.length > MAX_ENTRIES) throw new FileError('too-many-entries');
  return multistatus.response.map(resourceOf);
}

/** What is in a folder: of its own answer, all that is deeper than the folder itself. */
export function entriesIn(resources: readonly Resource[]): Entry[] {
  const depth = Math.min(...resources.map(({ segments }) => segments.length));
  return resources
    .filter(({ segments }) => segments.length > depth)
    .map(({ segments, attributes }) => ({ name: nameFrom(segments.at(-1) ?? ''), ...attributes }));
}

/** The folder itself. */
export function shallowest(resources: readonly Resource[]): Resource | undefined {
  return resources.toSorted((one, other) => one.segments.length - other.segments.length)[0];
}

function resourceOf({ href, propstat }: DAVResultResponse): Resource {
  // The library leaves out what the server has left out, whatever the types say.
  const props: Partial<Record<string, unknown>> = propstat?.prop ?? {};
  const type = props['resourcetype'];
  const isFolder = typeof type === 'object' && type !== null && 'collection' in type;
  return {
    segments: String(href)
      .replace(/^https?:\/\/[^/]*/, '')
      .split('/')
      .filter((segment) => segment !== ''),
    attributes: {
      type: isFolder ? 'folder' : 'file',
      size: numberFrom(props['getcontentlength']),
      modifiedAt: dateOf(Date.parse(String(props['getlastmodified']))),
    },
    freeBytes: numberFrom(props['quota-available-bytes']),
  };
}

/** A property that the server does not have is empty. */
function numberFrom(value: unknown): number | null {
  const number = /^\d+$/.test(String(value)) ? Number(value) : Number.NaN;
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
