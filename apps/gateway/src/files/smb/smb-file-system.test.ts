import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileSystem } from '../file-system.ts';
import { listAll, testFileSystem } from '../testing/file-system-suite.ts';
import { type Samba, smbdProgram, startSamba } from '../testing/start-samba.ts';
import { createTestSession, memoryOf } from '../../testing/test-session.ts';
import type { Dialect } from './negotiate.ts';
import { openSmb } from './smb-file-system.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'smb-'));
let samba: Samba;
beforeAll(async () => {
  if (smbdProgram !== undefined) samba = await startSamba(root);
});
afterAll(async () => {
  await samba?.[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

async function open(more: { dialects?: readonly Dialect[]; password?: string } = {}): Promise<FileSystem> {
  const { openStream } = createTestSession({ kind: 'smb', port: samba.port });
  const { username, password } = samba;
  const target = { openStream, memory: memoryOf(Infinity), host: '127.0.0.1' };
  return await openSmb({ ...target, username, password, domain: '', startPath: '', ...more });
}

const kinds: { title: string; share: string; dialects: readonly Dialect[] }[] = [
  { title: 'SMB 2.1', share: '公共', dialects: [0x0210] },
  { title: 'SMB 3.0.2', share: '公共', dialects: [0x0302] },
  { title: 'SMB 3.1.1', share: '公共', dialects: [0x0210, 0x0302, 0x0311] },
  { title: 'SMB 3.0.2, encrypted', share: 'secret', dialects: [0x0302] },
  { title: 'SMB 3.1.1, encrypted', share: 'secret', dialects: [0x0311] },
];

for (const { title, share, dialects } of kinds)
  testFileSystem(
    `${title} with Samba`,
    async () => {
      const folder = path.basename(mkdtempSync(path.join(samba.shared, 'case-')));
      const fileSystem = await open({ dialects });
      return { fileSystem, folder: `/${share}/${folder}`, [Symbol.asyncDispose]: async () => fileSystem.close() };
    },
    { skip: smbdProgram === undefined },
  );

describe.skipIf(smbdProgram === undefined)('SMB with Samba', () => {
  test('the first folder has the shares in it, without the hidden ones', async () => {
    const fileSystem = await open();
    const shares = await listAll(fileSystem, '/');
    expect(shares.map(({ name, type }) => [name, type])).toEqual([
      ['公共', 'folder'],
      ['secret', 'folder'],
    ]);
    await expect(listAll(fileSystem, '/none')).rejects.toMatchObject({ code: 'not-found' });
    await expect(fileSystem.deleteFolder('/')).rejects.toMatchObject({ code: 'forbidden' });
    fileSystem.close();
  });

  test('a wrong password is refused', async () => {
    await expect(open({ password: 'wrong' })).rejects.toMatchObject({ code: 'login-failed' });
  });

  test('a folder whose list takes several replies is listed whole', async () => {
    const folder = mkdtempSync(path.join(samba.shared, 'many-'));
    // A reply holds a megabyte at most: 1 800 such names, of two bytes a character.
    const count = 2_500;
    const nameOf = (index: number) => `文件 ${'x'.repeat(230)} ${index}`;
    writeFileSync(path.join(folder, nameOf(0)), '');
    for (let index = 1; index < count; index++)
      linkSync(path.join(folder, nameOf(0)), path.join(folder, nameOf(index)));
    const fileSystem = await open();
    const entries = await listAll(fileSystem, `/公共/${path.basename(folder)}`);
    expect(new Set(entries.map(({ name }) => name)).size).toBe(count);
    fileSystem.close();
  });

  test.each(['a:stream', 'a\\b', 'a*', 'a?', 'line\nbreak', 'dot.', 'space '])(
    'the name %j, which means something else to the server, is refused',
    async (name) => {
      const fileSystem = await open();
      await expect(fileSystem.createFolder(`/公共/${name}`)).rejects.toMatchObject({ code: 'name-not-possible' });
      fileSystem.close();
    },
  );

  test('a circle of links, which the server follows itself, has the id of what is above it', async () => {
    const folder = mkdtempSync(path.join(samba.shared, 'circle-'));
    symlinkSync('.', path.join(folder, 'self'));
    const fileSystem = await open();
    const at = `/公共/${path.basename(folder)}`;
    const [outer] = await listAll(fileSystem, at);
    const [inner] = await listAll(fileSystem, `${at}/self`);
    expect(outer).toMatchObject({ name: 'self', type: 'folder', id: expect.any(BigInt) });
    expect(inner?.id).toBe(outer?.id);
    fileSystem.close();
  });
});
