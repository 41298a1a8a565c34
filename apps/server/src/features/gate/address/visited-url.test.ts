import { expect, test } from 'vitest';
import { readVisitedUrl } from './visited-url.ts';

test('an ordinary address is parsed', () => {
  expect(readVisitedUrl('http://nas.localhost:8080/photos/?page=2#top')).toEqual({
    href: 'http://nas.localhost:8080/photos/?page=2#top',
    origin: 'http://nas.localhost:8080',
    host: 'nas.localhost',
    port: 8080,
    pathAndQuery: '/photos/?page=2',
    fragment: '#top',
  });
  expect(readVisitedUrl('HTTPS://NAS.Example.COM')).toMatchObject({
    href: 'https://nas.example.com/',
    host: 'nas.example.com',
    port: 443,
  });
  expect(readVisitedUrl('http://nas.localhost/中文?q=值')).toMatchObject({
    pathAndQuery: '/%E4%B8%AD%E6%96%87?q=%E5%80%BC',
  });
});

test.each(['http://nas.localhost//evil.com/x', 'http://nas.localhost////evil.com/x'])(
  'the path of %s cannot be read as another host',
  (text) => expect(readVisitedUrl(text)?.pathAndQuery).toBe('/evil.com/x'),
);

test.each([
  '',
  '/',
  '//nas.localhost:8080/',
  '///nas.localhost:8080/',
  'nas.localhost:8080/',
  'http:nas.localhost:8080',
  'http:/nas.localhost:8080',
  'http:///nas.localhost:8080',
  'http:\\\\nas.localhost:8080',
  'http://nas.localhost:8080\\@evil.com',
  'http://evil.com\\nas.localhost:8080',
  'http://nas.localhost:8080/\\evil.com',
  'http://user@nas.localhost:8080',
  'http://user:pass@nas.localhost:8080',
  'http://@nas.localhost:8080',
  'http://:@nas.localhost:8080',
  'http://nas.localhost:8080@evil.com',
  'http://nas.localhost%2f@evil.com',
  'http://nas.localhost%00.evil.com',
  'http://nas%2elocalhost:8080',
  'http://%6eas.localhost:8080',
  'http://nas。localhost:8080',
  'http://nas.localhost。:8080',
  'http://nas．localhost:8080',
  'http://ｎａｓ.localhost:8080',
  'http://nаs.localhost:8080',
  'http://na\u00ads.localhost:8080',
  'http://nas.\u200blocalhost:8080',
  'http://nas.localhost.:8080',
  'http://.nas.localhost:8080',
  'http://-nas.localhost:8080',
  'http://nas.localhost:8080:80',
  'http://nas.localhost:080808080',
  'http://nas.localhost:99999',
  'http://nas.localhost:-1',
  'http://nas.localhost:８080',
  'http://nas.localhost:8080;@evil.com',
  'http://nas.localhost,evil.com',
  'http://[::1]:8080/',
  'http://[nas.localhost]:8080/',
  'http://0x7f.1/',
  'http://127.1/',
  'javascript:alert(1)',
  'JaVaScRiPt://nas.localhost/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'ftp://nas.localhost:8080/',
  'ws://nas.localhost:8080/',
  'blob:http://nas.localhost:8080/x',
  'view-source:http://nas.localhost:8080/',
  ' http://nas.localhost:8080/',
  'http://nas.localhost:8080/ ',
  'http://nas.localhost:8080/a b',
  '\u0000http://nas.localhost:8080/',
  'ht\ntp://nas.localhost:8080/',
  'http://nas.local\thost:8080/',
  'http://nas.localhost:8080/\r\nset-cookie: a=b',
  'http://nas.localhost:8080/\u2028x',
  'http://nas.localhost:8080/\u202ex',
  '\ufeffhttp://nas.localhost:8080/',
])('%j is refused', (text) => {
  expect(readVisitedUrl(text)).toBeUndefined();
});
