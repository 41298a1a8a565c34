import { describe, expect, test } from 'vitest';
import { AlertChannelCreate } from './account/alerts.ts';
import { AnnouncementBody } from './site/announcements.ts';
import { SiteEntryCreate } from './site/site-entries.ts';

const written = { title: '维护', detail: '今晚', display: true, starts_at: null, ends_at: null };
const entry = { ...written, kind: 'banner', qr_text: '', position: 0 };
const channel = { name: '家', events: ['new_login'] };

/** Every field of a request that is a web address. */
const fields = [
  ['an announcement', (url: string) => AnnouncementBody.safeParse({ ...written, url })],
  ['a banner', (url: string) => SiteEntryCreate.safeParse({ ...entry, url })],
  ['a webhook', (url: string) => AlertChannelCreate.safeParse({ ...channel, target: { kind: 'webhook', url } })],
  ['Bark', (url: string) => AlertChannelCreate.safeParse({ ...channel, target: { kind: 'bark', url } })],
] as const;

describe.each(fields)('the address of %s', (_of, parse) => {
  test.each([
    'https:///user@evil.example/a',
    'https:evil.example/a',
    String.raw`https:\\evil.example\a`,
    String.raw`https://good.example\@evil.example/a`,
    'https://good.example@evil.example/a',
    'https://:secret@evil.example/a',
    'https://good.example/\u{202E}gpj.exe',
    'https://good\u{200B}.example/a',
    'https://good.example/a b',
    'javascript:alert(1)',
    'ftp://good.example/a',
    '//evil.example/a',
    `https://good.example/${'a'.repeat(500)}`,
  ])('is not %j', (url) => {
    const { issues = [] } = parse(url).error ?? {};
    expect(issues).toHaveLength(1);
  });

  test.each(['https://good.example/a?b=c#d', 'http://203.0.113.7:8080/a', 'HTTPS://good.example/中文'])(
    'may be %j',
    (url) => {
      expect(parse(url).success).toBe(true);
    },
  );
});
