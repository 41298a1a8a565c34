import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import type { Reader } from '../../parsing/parse-messages.ts';
import { TargetError } from '../../errors/target-error.ts';
import { type Attributes, dateOf, type Entry, FileError, MAX_ENTRIES, shownName } from '../file-system.ts';
import { percentDecoded } from '../../target-http/percent-names.ts';

/** What no answer has. */
const MAX_DEPTH = 32;
/** Of a tag with its attributes, or a text: the longest path, with each of its bytes as `%20`, fits four times. */
const MAX_TOKEN_LENGTH = 64 * 1024;
/** Of an element: those that are known have 21, and a prefix. The parser keeps the names of all that are open. */
const MAX_ELEMENT_NAME_LENGTH = 256;
/** Of an element and those around it: what is longer is none that is read. */
const MAX_PLACE_LENGTH = 128;
const UNKNOWN_PLACE = '?';
/** The parser gets so much at a time, so that a token ends soon behind its limit. */
const STEP_BYTES = 8 * 1024;
/** Of what comes before the folder itself, which is the first in the answers of all known servers. */
const MAX_BESIDES = 1_000;
const MAX_BESIDES_LENGTH = 128 * 1024;

const RESPONSE = 'multistatus/response';
const PROPSTAT = `${RESPONSE}/propstat`;
const PROP = `${PROPSTAT}/prop`;

type Properties = Partial<Record<string, string>>;
/** `hrefLength`: the segments keep all of the href in memory. */
type Resource = {
  segments: readonly string[];
  hrefLength: number;
  attributes: Attributes;
  freeBytes: number | null;
};

/** The entries of the part that was read. */
export type MultistatusPart = Entry[];
/** The folder or file itself. Undefined where there is none, or where the answer is no multistatus. */
export type MultistatusEnd = (Attributes & { freeBytes: number | null }) | undefined;

/** Reads a PROPFIND's answer (RFC 4918 §14.16) as it comes. */
export class MultistatusReader implements Reader {
  readonly #parser = new SaxesParser({ position: false });
  #decoder: TextDecoder | undefined;
  /** The places of the elements that are open. */
  readonly #open: string[] = [];
  #tokenLength = 0;
  #text = '';
  #href: string | undefined;
  #found: Properties = {};
  /** Of one propstat, whose status follows them. */
  #properties: Properties = {};
  #status = '';
  #isWhole = false;
  #resources = 0;
  /** What was asked for: all that is deeper is in it. Until the end it may turn out to be an entry itself. */
  #self: Resource | undefined;
  /** As deep as `#self`: entries, too, if there is one above. */
  #besides: Resource[] = [];
  #besidesLength = 0;
  #entries: Entry[] = [];

  constructor() {
    const parser = this.#parser;
    const close = this.#closings();
    parser.on('error', () => {}); // servers make mistakes; what counts is that the answer has an end
    parser.on('opentag', (tag) => {
      const { name } = tag;
      this.#tokenLength = 0;
      tag.attributes = {}; // nobody reads them, and the parser keeps them until the element ends
      if (name.length > MAX_ELEMENT_NAME_LENGTH) throw new TargetError('protocol');
      this.#open.push(placeIn(this.#open.at(-1), name.slice(name.indexOf(':') + 1)));
      if (this.#open.length > MAX_DEPTH) throw new TargetError('protocol');
      this.#text = '';
    });
    const addText = (part: string): void => {
      this.#tokenLength = 0;
      if (this.#text.length + part.length > MAX_TOKEN_LENGTH) throw new TargetError('protocol');
      this.#text += part;
    };
    parser.on('text', addText);
    parser.on('cdata', addText);
    parser.on('comment', () => (this.#tokenLength = 0));
    parser.on('closetag', () => {
      this.#tokenLength = 0;
      close[this.#open.pop() ?? UNKNOWN_PLACE]?.();
    });
  }

  write(bytes: Uint8Array): MultistatusPart {
    if (bytes.length > 0) this.#decoder ??= decoderFor(bytes);
    for (let at = 0; at < bytes.length; at += STEP_BYTES)
      this.#parse(this.#decoder?.decode(bytes.subarray(at, at + STEP_BYTES), { stream: true }) ?? '');
    return this.#takeEntries();
  }

  end(): MultistatusEnd {
    this.#parse(this.#decoder?.decode() ?? '');
    this.#parser.close();
    if (!this.#isWhole) throw new TargetError('protocol');
    return this.#self && { ...this.#self.attributes, freeBytes: this.#self.freeBytes };
  }

  #parse(text: string): void {
    this.#tokenLength += text.length;
    this.#parser.write(text);
    // Held by the parser until it ends.
    if (this.#tokenLength > MAX_TOKEN_LENGTH) throw new TargetError('protocol');
  }

  #takeEntries(): Entry[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }

  #closings(): Partial<Record<string, () => void>> {
    const close: Partial<Record<string, () => void>> = {
      [`${RESPONSE}/href`]: () => (this.#href = this.#text.trim()),
      [`${PROP}/resourcetype/collection`]: () => (this.#properties['collection'] = ''),
      [`${PROPSTAT}/status`]: () => (this.#status = this.#text),
      [PROPSTAT]: () => {
        if (this.#status === '' || / 2\d\d\b/.test(this.#status)) this.#found = { ...this.#found, ...this.#properties };
        [this.#properties, this.#status] = [{}, ''];
      },
      [RESPONSE]: () => {
        if (++this.#resources > MAX_ENTRIES) throw new FileError('too-many-entries');
        if (this.#href !== undefined) this.#add(resourceOf(this.#href, this.#found));
        [this.#href, this.#found] = [undefined, {}];
      },
      multistatus: () => (this.#isWhole = true),
    };
    for (const name of ['getcontentlength', 'getlastmodified', 'quota-available-bytes'])
      close[`${PROP}/${name}`] = () => (this.#properties[name] = this.#text.trim());
    return close;
  }

  #add(resource: Resource): void {
    const self = this.#self;
    const depth = resource.segments.length;
    if (self === undefined) this.#self = resource;
    else if (depth > self.segments.length) this.#entries.push(entryOf(resource));
    else if (depth === self.segments.length) this.#addBeside(resource);
    else {
      this.#entries.push(...[self, ...this.#besides].map(entryOf));
      [this.#self, this.#besides, this.#besidesLength] = [resource, [], 0];
    }
  }

  #addBeside(resource: Resource): void {
    this.#besides.push(resource);
    this.#besidesLength += resource.hrefLength;
    if (this.#besides.length > MAX_BESIDES || this.#besidesLength > MAX_BESIDES_LENGTH)
      throw new TargetError('protocol');
  }
}

function placeIn(above: string | undefined, name: string): string {
  const place = above === undefined ? name : `${above}/${name}`;
  return above === UNKNOWN_PLACE || place.length > MAX_PLACE_LENGTH ? UNKNOWN_PLACE : place;
}

/** By the XML declaration at the beginning, else UTF-8: `<?xml version="1.0" encoding="gb2312"?>`. */
function decoderFor(beginning: Uint8Array): TextDecoder {
  const declared = /^\s*<\?xml[^>]*?encoding=["']([\w-]{1,40})["']/.exec(
    Buffer.from(beginning.subarray(0, 200)).toString('latin1'),
  );
  try {
    return new TextDecoder(declared?.[1]);
  } catch {
    return new TextDecoder(); // no encoding that is known
  }
}

function entryOf({ segments, attributes }: Resource): Entry {
  return { name: shownName(percentDecoded(segments.at(-1) ?? '')), ...attributes };
}

function resourceOf(href: string, properties: Properties): Resource {
  return {
    segments: href
      .replace(/^https?:\/\/[^/]*/, '')
      .split('/')
      .filter((segment) => segment !== ''),
    hrefLength: href.length,
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
