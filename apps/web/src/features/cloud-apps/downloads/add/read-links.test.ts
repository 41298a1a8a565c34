import { expect, test } from 'vitest';
import { readLinks } from './read-links.ts';

const magnet = `magnet:?xt=urn:btih:${'a'.repeat(40)}&dn=x`;

test('each line is a link; empty lines and repetitions do not count', () => {
  const text = `\n  http://nas/a.iso \r\n${magnet}\n\nftp://nas/b\nhttp://nas/a.iso\nHTTPS://nas/c?d=中文\n`;
  expect(readLinks(text)).toEqual({
    type: 'links',
    links: ['http://nas/a.iso', magnet, 'ftp://nas/b', 'HTTPS://nas/c?d=中文'],
  });
});

test.each(['file:///etc/passwd', 'magnet:?dn=x', 'http://', 'http://a b', 'nas/a.iso', 'javascript:alert(1)'])(
  '%s is no link to download',
  (line) => {
    expect(readLinks(`http://nas/a\n${line}`)).toEqual({ type: 'wrong', line: 2 });
  },
);

test('nothing is no link, and 101 are too many', () => {
  expect(readLinks(' \n ')).toEqual({ type: 'none' });
  const many = Array.from({ length: 101 }, (_, index) => `http://nas/${index}`);
  expect(readLinks(many.join('\n'))).toEqual({ type: 'too-many' });
  expect(readLinks(many.slice(1).join('\n')).type).toBe('links');
});
