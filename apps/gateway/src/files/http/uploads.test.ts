import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import http from 'node:http';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sftpSession } from '../testing/sftp-session.ts';
import { type Apache, apacheProgram, startApache } from '../testing/start-apache.ts';
import { type FilesClient, problemOf, startFiles } from '../testing/start-files.ts';
import { type Samba, smbdProgram, startSamba } from '../testing/start-samba.ts';
import { type Sshd, sshdProgram, startSshd } from '../../testing/start-sshd.ts';
import { createTestSession, type TestSession } from '../../testing/test-session.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'uploads-'));
const folderFor = (name: string): string => {
  mkdirSync(path.join(root, name));
  return path.join(root, name);
};
let sshd: Sshd;
let samba: Samba;
let apache: Apache;
beforeAll(async () => {
  if (sshdProgram !== undefined) sshd = await startSshd(folderFor('sshd'));
  if (smbdProgram !== undefined) samba = await startSamba(folderFor('samba'));
  if (apacheProgram !== undefined) apache = await startApache(folderFor('apache'), { login: 'Digest' });
});
afterAll(async () => {
  for (const peer of [sshd, samba, apache]) await peer?.[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

/** Where each protocol puts its files: as the gateway sees it, and on this machine. */
type Place = { session: TestSession; folder: string; onDisk: string };
const places: [string, boolean, () => Place][] = [
  [
    'SFTP',
    sshdProgram === undefined,
    () => {
      const onDisk = mkdtempSync(path.join(root, 'case-'));
      return { session: sftpSession(sshd), folder: onDisk, onDisk };
    },
  ],
  [
    'SMB',
    smbdProgram === undefined,
    () => {
      const { port, username, password, shared } = samba;
      const session = createTestSession({ kind: 'smb', port, options: { username }, secrets: { password } });
      const onDisk = mkdtempSync(path.join(shared, 'case-'));
      return { session, folder: `/公共/${path.basename(onDisk)}`, onDisk };
    },
  ],
  [
    'WebDAV',
    apacheProgram === undefined,
    () => {
      const { port, username, password, shared } = apache;
      const options = { username, path: '/dav' };
      return {
        session: createTestSession({ kind: 'webdav', port, options, secrets: { password } }),
        folder: '/dav',
        onDisk: shared,
      };
    },
  ],
];

const TUS = { 'tus-resumable': '1.0.0' };

async function create(
  client: FilesClient,
  metadata: { path: string; key?: string; overwrite?: string },
  size: number,
): Promise<Response> {
  return await fetch(client.url('uploads/'), { method: 'POST', headers: uploadHeaders(metadata, size) });
}

/** The upload and all of its bytes in one request. */
async function createWhole(
  client: FilesClient,
  metadata: { path: string; key?: string; overwrite?: string },
  body: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const headers = { ...uploadHeaders(metadata, body.length), 'content-type': 'application/offset+octet-stream' };
  return await fetch(client.url('uploads/'), { method: 'POST', headers, body });
}

function uploadHeaders(metadata: object, size: number) {
  const pairs = Object.entries({ key: 'local file', ...metadata });
  const encoded = pairs.map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`).join(',');
  return { ...TUS, 'upload-length': String(size), 'upload-metadata': encoded };
}

async function createdUrl(...args: Parameters<typeof create>): Promise<string> {
  const reply = await create(...args);
  expect([reply.status, reply.status === 201 ? '' : await reply.text()]).toEqual([201, '']);
  return new URL(reply.headers.get('location') ?? '', args[0].url('uploads/')).href;
}

async function offsetOf(url: string): Promise<number> {
  const reply = await fetch(url, { method: 'HEAD', headers: TUS });
  expect(reply.status).toBe(200);
  return Number(reply.headers.get('upload-offset'));
}

async function patch(url: string, offset: number, body: Uint8Array<ArrayBuffer>): Promise<Response> {
  const headers = { ...TUS, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' };
  return await fetch(url, { method: 'PATCH', headers, body });
}

/** Sends a part of the body and cuts the connection. */
async function patchAndCut(url: string, bytes: Buffer, sentBytes: number): Promise<void> {
  const headers = {
    ...TUS,
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
    'content-length': String(bytes.length),
  };
  const request = http.request(url, { method: 'PATCH', headers });
  request.on('error', () => {}); // it is cut
  await new Promise<void>((resolve) => {
    request.write(bytes.subarray(0, sentBytes), () => resolve());
  });
  request.destroy();
}

/** Sends the first half at once, and the rest when the test says so. */
function slowPatch(url: string, bytes: Buffer): { finish: () => Promise<number | undefined> } {
  const headers = {
    ...TUS,
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
    'content-length': String(bytes.length),
  };
  const request = http.request(url, { method: 'PATCH', headers });
  const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
  answered.catch(() => {}); // the test may have it cut
  const half = bytes.length / 2;
  request.write(bytes.subarray(0, half));
  return {
    finish: async () => {
      request.end(bytes.subarray(half));
      const [response] = await answered;
      response.resume();
      return response.statusCode;
    },
  };
}

/** Sends all before it reads the answer, as browsers do. Returns the first line of the answer. */
async function patchAsBrowser(url: string, bytes: Buffer): Promise<string> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => {}); // its write fails
  const type = 'content-type: application/offset+octet-stream\r\ntus-resumable: 1.0.0\r\nupload-offset: 0\r\n';
  socket.write(`PATCH ${pathname} HTTP/1.1\r\nhost: gateway\r\n${type}content-length: ${bytes.length}\r\n\r\n`);
  await new Promise<void>((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString('latin1').split('\r\n')[0] ?? '';
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

describe.each(places)('uploads by %s', (_name, isMissing, placeOf) => {
  test.skipIf(isMissing)('a file arrives whole, and has its name only then', async () => {
    const { session, folder, onDisk } = placeOf();
    await using client = await startFiles(session);
    const bytes = randomBytes(3_000_000);
    const url = await createdUrl(client, { path: `${folder}/照片 1.jpg` }, bytes.length);
    expect((await patch(url, 0, bytes.subarray(0, 1_000_000))).status).toBe(204);
    expect(readdirSync(onDisk)).not.toContain('照片 1.jpg');
    expect((await patch(url, 1_000_000, bytes.subarray(1_000_000))).status).toBe(204);
    expect(hash(readFileSync(path.join(onDisk, '照片 1.jpg')))).toBe(hash(bytes));
    expect(await offsetOf(url)).toBe(bytes.length);
    expect(readdirSync(onDisk).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(client.bugs).toEqual([]);
  });

  // As many bytes as need several requests and windows; bench/cloud-apps.ts compares the hashes of much larger files.
  test.skipIf(isMissing)('12 MB that are cut in the middle and resumed arrive unchanged, both ways', async () => {
    const { session, folder, onDisk } = placeOf();
    await using client = await startFiles(session);
    const bytes = randomBytes(12_000_000);
    const url = await createdUrl(client, { path: `${folder}/cut.bin` }, bytes.length);
    await patchAndCut(url, bytes, 9_000_000);
    const offset = await offsetOf(url);
    expect(offset).toBeGreaterThan(0);
    expect((await patch(url, offset, bytes.subarray(offset))).status).toBe(204);
    expect(hash(readFileSync(path.join(onDisk, 'cut.bin')))).toBe(hash(bytes));
    const download = await client.get('content', { path: `${folder}/cut.bin` });
    expect(hash(new Uint8Array(await download.arrayBuffer()))).toBe(hash(bytes));
    expect(client.bugs).toEqual([]);
  });

  test.skipIf(isMissing)('a cancelled upload leaves nothing', async () => {
    const { session, folder, onDisk } = placeOf();
    await using client = await startFiles(session);
    const before = readdirSync(onDisk);
    const url = await createdUrl(client, { path: `${folder}/never` }, 10_000);
    await patch(url, 0, randomBytes(5_000));
    expect((await fetch(url, { method: 'DELETE', headers: TUS })).status).toBe(204);
    // A WebDAV server removes its own temporary file when it notices that the request was cut.
    await expect.poll(() => readdirSync(onDisk), { timeout: 10_000 }).toEqual(before);
  });

  test.skipIf(isMissing)('two uploads of one name: the second is refused, also when the first is done', async () => {
    const { session, folder, onDisk } = placeOf();
    await using client = await startFiles(session);
    const at = `${folder}/same`;
    const url = await createdUrl(client, { path: at, key: 'one' }, 5);
    const second = await create(client, { path: at, key: 'two' }, 5);
    expect([second.status, (await problemOf(second)).code]).toEqual([409, 'files.being-uploaded']);
    expect((await patch(url, 0, Buffer.from('first'))).status).toBe(204);
    expect((await problemOf(await create(client, { path: at, key: 'two' }, 5))).code).toBe('files.exists');
    const other = await createdUrl(client, { path: at, key: 'two', overwrite: '1' }, 6);
    expect((await patch(other, 0, Buffer.from('second'))).status).toBe(204);
    expect(readFileSync(path.join(onDisk, 'same'), 'utf8')).toBe('second');
  });

  test.skipIf(isMissing)('a disk that gets full on the way is said, and no part stays', async (context) => {
    const { session, folder, onDisk } = placeOf();
    const disk = path.join(onDisk, 'disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=777', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      return context.skip('no disk can be mounted here');
    }
    try {
      await using client = await startFiles(session);
      const url = await createdUrl(client, { path: `${folder}/disk/file` }, 6_000_000);
      writeFileSync(path.join(disk, 'other'), Buffer.alloc(5_000_000));
      const reply = await patch(url, 0, randomBytes(6_000_000));
      expect([reply.status, (await problemOf(reply)).code]).toEqual([507, 'files.disk-full']);
      expect(readdirSync(disk)).toEqual(['other']);
      expect(client.bugs).toEqual([]);
    } finally {
      session.end('ended-by-user'); // its connections keep the disk busy
      execFileSync('umount', ['-l', disk]);
    }
  });

  test.skipIf(isMissing)('a small file takes one request; one that exists is refused, or replaced', async () => {
    const { session, folder, onDisk } = placeOf();
    await using client = await startFiles(session);
    const at = { path: `${folder}/海 #1.txt` };
    for (const text of ['', '第一行', '别的']) {
      const reply = await createWhole(client, { ...at, key: `key ${text.length}`, overwrite: '1' }, Buffer.from(text));
      expect([reply.status, reply.headers.get('upload-offset')]).toEqual([201, String(Buffer.byteLength(text))]);
      expect(readFileSync(path.join(onDisk, '海 #1.txt'), 'utf8')).toBe(text);
    }
    const other = await createWhole(client, { ...at, key: 'other' }, Buffer.from('x'));
    expect([other.status, (await problemOf(other)).code]).toEqual([409, 'files.exists']);
    expect(readdirSync(onDisk).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(client.bugs).toEqual([]);
  });

  test.skipIf(isMissing)('many small files at once arrive unchanged', async () => {
    const { session, folder, onDisk } = placeOf();
    await using client = await startFiles(session);
    await client.post('folder', { path: `${folder}/many` });
    const names = Array.from({ length: 24 }, (_, index) => `图片 ${index}`);
    const replies = await Promise.all(
      names.map(async (name) => await createWhole(client, { path: `${folder}/many/${name}` }, Buffer.from(name))),
    );
    expect(replies.map(({ status }) => status)).toEqual(names.map(() => 201));
    for (const name of names) expect(readFileSync(path.join(onDisk, 'many', name), 'utf8')).toBe(name);
    expect(readdirSync(path.join(onDisk, 'many'))).toHaveLength(24);
  });

  test.skipIf(isMissing)('an empty file is there at once', async () => {
    const { session, folder, onDisk } = placeOf();
    await using client = await startFiles(session);
    await createdUrl(client, { path: `${folder}/empty` }, 0);
    expect(readFileSync(path.join(onDisk, 'empty')).length).toBe(0);
  });
});

describe.skipIf(sshdProgram === undefined)('uploads', () => {
  test('another session goes on with the part that is there, and sends its last bytes again', async () => {
    const folder = mkdtempSync(path.join(root, 'case-'));
    const bytes = randomBytes(8_000_000);
    let pathname: string;
    {
      await using client = await startFiles(sftpSession(sshd));
      const url = await createdUrl(client, { path: `${folder}/file` }, bytes.length);
      expect((await patch(url, 0, bytes.subarray(0, 5_000_000))).status).toBe(204);
      ({ pathname } = new URL(url));
    }
    await using client = await startFiles(sftpSession(sshd));
    const url = new URL(pathname, client.url('')).href;
    const offset = await offsetOf(url);
    expect(offset).toBe(5_000_000 - 2 * 1024 * 1024);
    expect((await patch(url, offset, bytes.subarray(offset))).status).toBe(204);
    expect(hash(readFileSync(path.join(folder, 'file')))).toBe(hash(bytes));
  });

  test('the same file from two sessions is written by one of them at a time', async () => {
    const folder = mkdtempSync(path.join(root, 'case-'));
    const bytes = randomBytes(3_000_000);
    await using first = await startFiles(sftpSession(sshd));
    await using second = await startFiles(sftpSession(sshd));
    const [url, other] = [
      await createdUrl(first, { path: `${folder}/file` }, bytes.length),
      await createdUrl(second, { path: `${folder}/file` }, bytes.length),
    ];
    const slow = slowPatch(url, bytes);
    await expect.poll(() => readdirSync(folder).length).toBe(1);
    const refused = await patch(other, 0, bytes);
    expect([refused.status, (await problemOf(refused)).code]).toEqual([409, 'files.being-uploaded']);
    expect(await slow.finish()).toBe(204);
    expect(hash(readFileSync(path.join(folder, 'file')))).toBe(hash(bytes));
    expect(readdirSync(folder)).toEqual(['file']);
  });

  test('an upload whose connection hangs goes on over another one', async () => {
    const folder = mkdtempSync(path.join(root, 'case-'));
    const bytes = randomBytes(1_000_000);
    await using client = await startFiles(sftpSession(sshd));
    const url = await createdUrl(client, { path: `${folder}/file` }, bytes.length);
    const hanging = slowPatch(url, bytes);
    await expect.poll(() => readdirSync(folder).length).toBe(1);
    const offset = await offsetOf(url);
    expect(offset).toBe(500_000);
    expect((await patch(url, offset, bytes.subarray(offset))).status).toBe(204);
    expect(hash(readFileSync(path.join(folder, 'file')))).toBe(hash(bytes));
    await expect(hanging.finish()).rejects.toThrow();
    expect(client.bugs).toEqual([]);
  });

  test('more bytes than the file has are refused, also where their number is not said, and no part stays', async () => {
    const folder = mkdtempSync(path.join(root, 'case-'));
    await using client = await startFiles(sftpSession(sshd));
    const url = await createdUrl(client, { path: `${folder}/file` }, 10);
    expect((await patch(url, 0, randomBytes(11))).status).toBe(413);
    const headers = { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    const body = new Blob([randomBytes(11)]).stream();
    const unsaid = await fetch(url, { method: 'PATCH', headers, body, duplex: 'half' } as RequestInit);
    expect(unsaid.status).toBe(413);
    expect(readdirSync(folder)).toEqual([]);
    expect(await offsetOf(url)).toBe(0);
    expect(client.bugs).toEqual([]);
  });

  test('a small file whose answer was lost is sent again without a question', async () => {
    const folder = mkdtempSync(path.join(root, 'case-'));
    await using client = await startFiles(sftpSession(sshd));
    const at = { path: `${folder}/file`, key: '5-1' };
    expect((await createWhole(client, at, Buffer.from('first'))).status).toBe(201);
    expect((await createWhole(client, at, Buffer.from('first'))).status).toBe(201);
    expect((await problemOf(await createWhole(client, { ...at, key: '5-2' }, Buffer.from('other')))).code).toBe(
      'files.exists',
    );
    expect(readFileSync(path.join(folder, 'file'), 'utf8')).toBe('first');
    rmSync(path.join(folder, 'file'));
    expect((await createWhole(client, at, Buffer.from('first'))).status).toBe(201);
    expect(readdirSync(folder)).toEqual(['file']);
    expect(client.bugs).toEqual([]);
  });

  test('a small file that is cut off leaves no part', async () => {
    const folder = mkdtempSync(path.join(root, 'case-'));
    await using client = await startFiles(sftpSession(sshd));
    const headers = { ...uploadHeaders({ path: `${folder}/file` }, 1_000), 'content-length': '1000' };
    const type = { 'content-type': 'application/offset+octet-stream' };
    const request = http.request(client.url('uploads/'), { method: 'POST', headers: { ...headers, ...type } });
    request.on('error', () => {}); // it is cut
    request.write(randomBytes(500));
    await expect.poll(() => readdirSync(folder).length).toBe(1);
    request.destroy();
    await expect.poll(() => readdirSync(folder)).toEqual([]);
    expect(client.bugs).toEqual([]);
  });

  test('a name of 255 bytes can be uploaded', async () => {
    const folder = mkdtempSync(path.join(root, 'case-'));
    const name = '名'.repeat(85);
    await using client = await startFiles(sftpSession(sshd));
    const url = await createdUrl(client, { path: `${folder}/${name}` }, 3);
    expect((await patch(url, 0, Buffer.from('abc'))).status).toBe(204);
    expect(readdirSync(folder)).toEqual([name]);
  });

  test('what cannot be written is said, and leaves no part', async () => {
    await using client = await startFiles(sftpSession(sshd));
    const missing = await createdUrl(client, { path: `${root}/none/file` }, 3);
    const reply = await patch(missing, 0, Buffer.from('abc'));
    expect([reply.status, (await problemOf(reply)).code]).toEqual([404, 'files.not-found']);
    const outside = await create(client, { path: '/tmp/../etc/x' }, 3);
    expect([outside.status, (await problemOf(outside)).code]).toEqual([422, 'request.invalid']);
    const unknown = await fetch(client.url('uploads/abc'), { method: 'HEAD', headers: TUS });
    expect(unknown.status).toBe(404);
    expect(client.bugs).toEqual([]);
  });

  test('a full disk is said before the upload and in the middle of it, also to a browser, and no part stays', async (context) => {
    const disk = mkdtempSync(path.join(root, 'disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      return context.skip('no disk can be mounted here');
    }
    try {
      await using client = await startFiles(sftpSession(sshd));
      const tooLarge = await create(client, { path: `${disk}/large` }, 15_000_000);
      expect([tooLarge.status, (await problemOf(tooLarge)).code]).toEqual([507, 'files.disk-full']);
      const url = await createdUrl(client, { path: `${disk}/file` }, 11_000_000);
      writeFileSync(path.join(disk, 'other'), Buffer.alloc(12_000_000));
      expect(await patchAsBrowser(url, Buffer.alloc(11_000_000))).toContain(' 507 ');
      expect(readdirSync(disk)).toEqual(['other']);
      const text = await fetch(client.url('content', { path: `${disk}/text` }), {
        method: 'PUT',
        body: randomBytes(4_000_000),
      });
      expect((await problemOf(text)).code).toBe('files.disk-full');
      const copied = await client.post('copy', { from: `${disk}/other`, to: `${disk}/copy` });
      expect((await problemOf(copied)).code).toBe('files.disk-full');
      expect(readdirSync(disk)).toEqual(['other']);
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});
