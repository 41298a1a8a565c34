import { anyText } from '@tongtu/base/testing/any-text';
import fc from 'fast-check';
import { MAX_SEEN_TEXT_LENGTH } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import { readHtml } from './html-page.ts';
import { seenText } from './seen-text.ts';

const titleOf = (html: string | Buffer, contentType?: string) => readHtml(Buffer.from(html), contentType).title;
/** 路由器 in GBK. */
const gbk = Buffer.from('c2b7d3c9c6f7', 'hex');

test('a title is decoded by the charset of the header, else of the page', () => {
  const page = Buffer.concat([Buffer.from('<title>'), gbk, Buffer.from('</title>')]);
  expect(titleOf(page, 'text/html; charset=GBK')).toBe('路由器');
  expect(titleOf(Buffer.concat([Buffer.from('<meta charset="gb2312">'), page]))).toBe('路由器');
  const old = '<meta http-equiv="Content-Type" content="text/html; charset=gbk">';
  expect(titleOf(Buffer.concat([Buffer.from(old), page]))).toBe('路由器');
  expect(titleOf('<title>飞牛 fnOS</title>')).toBe('飞牛 fnOS');
  expect(titleOf('<title>nas</title>', 'text/html; charset=no-such-charset')).toBe('nas');
});

test('a page that names no charset, or a wrong one, is read by its bytes', () => {
  const page = Buffer.concat([Buffer.from('<title>'), gbk, Buffer.from('</title>')]);
  expect(titleOf(page)).toBe('路由器');
  expect(titleOf(page, 'text/html; charset=utf-8')).toBe('路由器');
  const contradicting = Buffer.concat([Buffer.from('<meta charset=big5><title>'), Buffer.from('a4a4a4e5', 'hex')]);
  expect(titleOf(contradicting, 'text/html; charset=utf-8')).toBe('中文');
  // The body is read up to a limit, which may be in the middle of a character.
  expect(titleOf(Buffer.concat([Buffer.from('<title>群晖</title>'), Buffer.from('晖').subarray(0, 2)]))).toBe('群晖');
});

test.each([
  ['<TITLE id=x>\n  Home\tAssistant </TITLE>', 'Home Assistant'],
  ['<title>A &amp; B &#x7fa4;&#26198; &unknown; &#0;</title>', 'A & B 群晖 &unknown; &#0;'],
  ['<title></title>', undefined],
  ['<title>  \u202E\u200B </title>', undefined],
  ['no title', undefined],
  ['<title>cut', 'cut'],
])('the title of %j is %j', (html, title) => {
  expect(titleOf(html)).toBe(title);
});

test('the icon and the page that a page leads to at once are found', () => {
  const html = `<link rel="stylesheet" href="/a.css"><link href='/i.png?a=1&amp;b=2' rel="shortcut icon">
    <meta http-equiv="refresh" content="0; URL=cgi-bin/luci/" />`;
  expect(readHtml(Buffer.from(html), undefined)).toMatchObject({ icon: '/i.png?a=1&b=2', refresh: 'cgi-bin/luci/' });
});

test('any bytes give a short title or none, within a moment', () => {
  const piece = fc.constantFrom(
    '<title>',
    '</title>',
    '<meta charset=',
    'gbk',
    '<link ',
    'rel=icon ',
    'href=',
    '&#x',
    '>',
  );
  const bytes = fc
    .array(
      fc.oneof(
        piece.map((text) => Buffer.from(text)),
        fc.uint8Array({ maxLength: 40 }),
      ),
      { maxLength: 40 },
    )
    .map((parts) => Buffer.concat(parts));
  fc.assert(
    fc.property(bytes, fc.string(), (body, contentType) => {
      const { title } = readHtml(body, contentType);
      expect((title ?? '').length).toBeLessThanOrEqual(MAX_SEEN_TEXT_LENGTH);
    }),
    { numRuns: 500 },
  );
});

test.each(['<title', '<meta ', '<link ', '<title>&#', '<meta http-equiv=refresh '])(
  'a body full of %j does not take long',
  { timeout: 5_000 },
  (part) => {
    expect(readHtml(Buffer.from(part.repeat(65_536 / part.length)), undefined)).toBeDefined();
  },
);

test('a text is one short line of whole characters', () => {
  expect(seenText('a\u0000b\r\nc\u2066d')).toBe('a b c d');
  expect(seenText('😀'.repeat(500))?.length).toBeLessThanOrEqual(MAX_SEEN_TEXT_LENGTH);
  fc.assert(
    fc.property(anyText(2000), (text) => {
      const seen = seenText(text) ?? '';
      expect(seen.length).toBeLessThanOrEqual(MAX_SEEN_TEXT_LENGTH);
      expect(seen.isWellFormed()).toBe(true);
      expect(seen).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }),
  );
});
