import { head } from '../support/conversation/steps.ts';

/** Locations of the site besides its files. */
export const siteDirectives = `
  gzip on; gzip_min_length 1; gzip_http_version 1.0; gzip_proxied any; gzip_types text/css;
  location = /echo { return 200 "$request_method $request_uri $http_host $http_cookie $http_range $http_x_a\\n"; }
  location = /moved { return 301 https://elsewhere.example/?a=b; }
  location = /gone { return 410; }
  location = /nothing { return 204; }
  location = /hints { add_header X-A 1 always; add_header X-A 2 always; add_header Set-Cookie "a=1; Path=/"; return 200 ""; }
  location /dav/ { dav_methods PUT DELETE MKCOL COPY MOVE; create_full_put_path on; client_max_body_size 64k; }
  location /limited/ { dav_methods PUT; client_max_body_size 1k; }
  location /basic/ { auth_basic "nas"; auth_basic_user_file /dev/null; }`;

/** A request whose answer must be the same directly from nginx and through the product. */
export type SiteRequest = {
  name: string;
  /** `{way}` differs between the two, for requests that change files. */
  text: string;
  /** Absent: HTTP/1.1 and HTTP/2. */
  over?: 'HTTP/1.1';
};

/** Whether it is the last request of its connection. */
const ask = (line: string, ...fields: string[]): string =>
  head(`${line} HTTP/1.1`, 'Host: {site}', ...fields, 'Connection: close');
const keep = (line: string, ...fields: string[]): string => head(`${line} HTTP/1.1`, 'Host: {site}', ...fields);

const put = (path: string, body: string, ...fields: string[]): string =>
  ask(`PUT ${path}`, ...fields, `Content-Length: ${body.length}`) + body;

export const siteRequests: readonly SiteRequest[] = [
  { name: 'a page', text: ask('GET /') },
  { name: 'the head of a page', text: ask('HEAD /'), over: 'HTTP/1.1' },
  { name: 'an image', text: ask('GET /image.png') },
  { name: 'a page that is not there', text: ask('GET /no-such-page') },
  { name: 'a page with 410', text: ask('GET /gone') },
  { name: 'an answer of nothing', text: ask('GET /nothing') },
  { name: 'a redirect to another site', text: ask('GET /moved') },
  { name: 'a redirect of nginx’s own', text: ask('GET /second') },
  { name: 'several fields of one name', text: ask('GET /hints') },
  { name: 'a request for a password', text: ask('GET /basic/') },
  { name: 'a compressed style sheet', text: ask('GET /style.css', 'Accept-Encoding: gzip') },
  { name: 'a style sheet for who cannot decompress', text: ask('GET /style.css', 'Accept-Encoding: identity') },
  { name: 'the first bytes of a file', text: ask('GET /image.png', 'Range: bytes=0-9') },
  { name: 'the last bytes of a file', text: ask('GET /image.png', 'Range: bytes=-5') },
  { name: 'a range that is not there', text: ask('GET /image.png', 'Range: bytes=999999-') },
  { name: 'a range of another version', text: ask('GET /image.png', 'Range: bytes=0-9', 'If-Range: "other"') },
  {
    name: 'a file that has not changed',
    text: ask('GET /image.png', 'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT'),
  },
  { name: 'a file that should not have changed', text: ask('GET /image.png', 'If-Match: "other"') },
  { name: 'a path with dots and slashes', text: ask('GET /no/..//./second//') },
  { name: 'a path in percent-encoding', text: ask('GET /%73econd/%69ndex.html') },
  { name: 'a path that leads out', text: ask('GET /../../etc/passwd') },
  { name: 'a path with a percent-encoded NUL', text: ask('GET /a%00b') },
  { name: 'a target as it was sent', text: ask('GET /echo?%41=%zz&b=/?&&', 'X-A: caf\xe9', 'Cookie: a=1; b=2') },
  { name: 'a long target', text: ask(`GET /echo?${'long'.repeat(1_500)}`) },
  { name: 'a target that is too long for nginx', text: ask(`GET /echo?${'long'.repeat(2_500)}`) },
  { name: 'a field that is too long for nginx', text: ask('GET /', `X-A: ${'long'.repeat(2_500)}`) },
  { name: 'a POST to what takes none', text: `${ask('POST /', 'Content-Length: 5')}hello` },
  { name: 'OPTIONS of what knows none', text: ask('OPTIONS /') },
  { name: 'a request of HTTP/1.0', text: head('GET / HTTP/1.0', 'Host: {site}'), over: 'HTTP/1.1' },
  { name: 'a new folder', text: ask('MKCOL /dav/{way}/') },
  { name: 'an upload', text: put('/dav/{way}/a.txt', 'hello') },
  { name: 'an upload over another', text: put('/dav/{way}/a.txt', 'hello again') },
  {
    name: 'an upload in chunks with an extension and a trailer',
    text: `${ask('PUT /dav/{way}/b.txt', 'Transfer-Encoding: chunked')}5;a=1\r\nhello\r\n6\r\n world\r\n0\r\nX-Sum: 1\r\n\r\n`,
    over: 'HTTP/1.1',
  },
  {
    name: 'an upload in chunks',
    text: `${ask('PUT /dav/{way}/c.txt', 'Transfer-Encoding: chunked')}5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n`,
  },
  { name: 'an upload that waits for 100', text: put('/dav/{way}/d.txt', 'hello', 'Expect: 100-continue') },
  { name: 'what was uploaded', text: ask('GET /dav/{way}/c.txt', 'Range: bytes=3-7') },
  { name: 'a copy', text: ask('COPY /dav/{way}/a.txt', 'Destination: /dav/{way}/e.txt', 'Overwrite: F') },
  { name: 'a move', text: ask('MOVE /dav/{way}/e.txt', 'Destination: /dav/{way}/f.txt') },
  { name: 'a removal', text: ask('DELETE /dav/{way}/f.txt') },
  { name: 'a removal of what is not there', text: ask('DELETE /dav/{way}/f.txt') },
  { name: 'an upload that is too large', text: put('/limited/{way}', 'x'.repeat(2_000)) },
  {
    name: 'an upload that is too large to be waited for',
    text: put('/limited/{way}', 'x'.repeat(2_000), 'Expect: 100-continue'),
  },
  {
    name: 'pipelined requests',
    text:
      keep('GET /style.css') + keep('HEAD /') + keep('GET /no-such-page') + keep('GET /nothing') + ask('GET /second/'),
    over: 'HTTP/1.1',
  },
];
