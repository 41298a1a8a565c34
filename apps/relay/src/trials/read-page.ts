import { MAX_TRIAL_ORIGINS } from '@tongtu/contract';

/** What a browser makes of a page by itself. */
export type PageFacts = {
  /** The address in `<meta http-equiv="refresh">` with its seconds, as in the field of an answer. */
  refresh: string | undefined;
  generator: string | undefined;
  /** The origins, other than the page's own, of what it cannot do without. */
  origins: string[];
};

/** Longer ones are cut. */
const MAX_TAG_LENGTH = 2_000;
const TAG_NAME = /[a-z][a-z0-9]*/iy;
const ATTRIBUTE = /(?<![a-z-])([a-z][a-z-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
/** What stands between the tags of these is no page: scripts make text of tags, and browsers with scripts skip `noscript`. */
const CLOSINGS: Record<string, RegExp> = {
  script: /<\/script/gi,
  style: /<\/style/gi,
  noscript: /<\/noscript/gi,
  template: /<\/template/gi,
};

/** Reads the beginning of a page, in one pass: its author may want to keep the relay busy. */
export function readPage(html: string, url: URL): PageFacts {
  const facts: PageFacts = { refresh: undefined, generator: undefined, origins: [] };
  const origins = new Set<string>();
  let base = url;
  for (const { name, attributes } of tagsOf(html)) {
    if (name === 'base') base = addressOf(attributes.get('href'), base) ?? base;
    if (name === 'meta' && attributes.get('http-equiv')?.toLowerCase() === 'refresh')
      facts.refresh ??= attributes.get('content');
    if (name === 'meta' && attributes.get('name')?.toLowerCase() === 'generator')
      facts.generator ??= attributes.get('content');
    const needed = addressOf(neededBy(name, attributes), base);
    if (needed !== undefined && needed.origin !== url.origin && origins.size < MAX_TRIAL_ORIGINS)
      origins.add(needed.origin);
  }
  return { ...facts, origins: [...origins] };
}

/** An address without which the page is not what it should be. Images and links may lead anywhere. */
function neededBy(name: string, attributes: ReadonlyMap<string, string>): string | undefined {
  switch (name) {
    case 'script':
    case 'iframe':
    case 'frame':
      return attributes.get('src');
    case 'link':
      return /(?:^|\s)(?:stylesheet|modulepreload)(?:\s|$)/i.test(attributes.get('rel') ?? '')
        ? attributes.get('href')
        : undefined;
    case 'form':
      return attributes.get('action');
    default:
      return undefined;
  }
}

function addressOf(address: string | undefined, base: URL): URL | undefined {
  if (address === undefined || !URL.canParse(address.trim(), base.href)) return undefined;
  const url = new URL(address.trim(), base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}

type Tag = { name: string; attributes: ReadonlyMap<string, string> };

function* tagsOf(html: string): Generator<Tag> {
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      at = html.indexOf('-->', at);
      if (at === -1) return; // the rest is a comment
      continue;
    }
    TAG_NAME.lastIndex = ++at;
    const name = TAG_NAME.exec(html)?.[0].toLowerCase();
    if (name === undefined) continue;
    const end = html.indexOf('>', at);
    if (end === -1) return;
    yield { name, attributes: attributesOf(html.slice(at + name.length, Math.min(end, at + MAX_TAG_LENGTH))) };
    at = endOfText(html, name, end);
    if (at === -1) return;
  }
}

/** Where the next tag may begin. -1: nowhere. */
function endOfText(html: string, name: string, at: number): number {
  const closing = CLOSINGS[name];
  if (closing === undefined) return at;
  closing.lastIndex = at;
  return closing.exec(html)?.index ?? -1;
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', quoted, apostrophed, bare] of text.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, quoted ?? apostrophed ?? bare ?? '');
  }
  return attributes;
}
