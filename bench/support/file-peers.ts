import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startApache } from '@tongtu/gateway/testing/apache';
import { startSamba } from '@tongtu/gateway/testing/samba';
import { startSshd } from '@tongtu/gateway/testing/sshd';
import { freePort } from '@tongtu/base/testing/free-port';

const run = promisify(execFile);
const MEGABYTE = 1024 * 1024;

/** A server of files with `large`, and its native client. */
export type FilePeer = {
  kind: 'sftp' | 'smb' | 'webdav';
  client: string;
  port: number;
  /** What an app needs to open it. */
  app: { options: Record<string, unknown>; secrets: Record<string, unknown> };
  connect: Record<string, unknown>;
  /** The folder of `large`, as the file manager names it. */
  shown: string;
  /** Runs the client, through a port: gets `large`, puts a file there, or only logs in. */
  get: (port: number) => Promise<void>;
  put: (port: number, file: string) => Promise<void>;
  logIn: (port: number) => Promise<void>;
};

export type FilePeers = AsyncDisposable & { peers: FilePeer[]; large: string };

/** OpenSSH, Samba and Apache on loopback, each with a file of random bytes. */
export async function startFilePeers(megabytes: number): Promise<FilePeers> {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'tongtu-bench-'));
  parts.defer(async () => await rm(folder, { recursive: true, force: true }));
  const [sftpFolder, smbFolder, davFolder] = ['sftp', 'smb', 'dav'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ]; // as many as names
  await Promise.all([sftpFolder, smbFolder, davFolder].map((each) => mkdir(each)));
  const sshd = parts.use(await startSshd(sftpFolder));
  const samba = parts.use(await startSamba(smbFolder));
  const apache = parts.use(await startApache(davFolder, { login: 'Basic' }));
  const large = path.join(folder, 'large');
  await makeRandomFile(large, megabytes);
  for (const at of [sftpFolder, samba.shared, apache.shared]) await run('cp', [large, path.join(at, 'large')]);

  const keyFile = path.join(folder, 'key');
  await writeFile(keyFile, sshd.privateKey, { mode: 0o600 });
  const sftp = async (port: number, command: string): Promise<void> => {
    const options = ['-oStrictHostKeyChecking=no', '-oUserKnownHostsFile=/dev/null', '-oLogLevel=ERROR'];
    const batch = path.join(folder, `batch-${await freePort()}`);
    await writeFile(batch, `${command}\n`);
    await run('sftp', ['-i', keyFile, '-P', String(port), ...options, '-b', batch, `${sshd.username}@127.0.0.1`]);
  };
  const login = `${samba.username}%${samba.password}`;
  const smb = async (port: number, command: string): Promise<void> =>
    void (await run('smbclient', ['//127.0.0.1/公共', '-p', String(port), '-U', login, '-c', command]));
  const dav = async (port: number, name: string, args: string[] = []): Promise<void> => {
    const url = `http://127.0.0.1:${port}/dav/${name}`;
    await run('curl', ['-sf', '-u', `${apache.username}:${apache.password}`, '-o', '/dev/null', ...args, url]);
  };
  const running = parts.move();
  return {
    large,
    peers: [
      {
        ...{ kind: 'sftp', client: 'sftp', port: sshd.port, shown: sftpFolder },
        app: { options: { username: sshd.username }, secrets: { private_key: sshd.privateKey } },
        connect: { trust_host_key: sshd.hostKey },
        get: async (port) => await sftp(port, `get ${sftpFolder}/large /dev/null`),
        put: async (port, file) => await sftp(port, `put ${file} ${sftpFolder}/put`),
        logIn: async (port) => await sftp(port, 'pwd'),
      },
      {
        ...{ kind: 'smb', client: 'smbclient', port: samba.port, shown: '/公共' },
        app: { options: { username: samba.username }, secrets: { password: samba.password } },
        connect: {},
        get: async (port) => await smb(port, 'get large /dev/null'),
        put: async (port, file) => await smb(port, `put ${file} put`),
        logIn: async (port) => await smb(port, 'pwd'),
      },
      {
        ...{ kind: 'webdav', client: 'curl', port: apache.port, shown: '/' },
        app: { options: { username: apache.username, path: '/dav' }, secrets: { password: apache.password } },
        connect: {},
        get: async (port) => await dav(port, 'large'),
        put: async (port, file) => await dav(port, 'put', ['-T', file]),
        logIn: async (port) => await dav(port, '', ['-X', 'OPTIONS']),
      },
    ],
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function makeRandomFile(file: string, megabytes: number): Promise<void> {
  const handle = await open(file, 'w');
  for (let n = 0; n < megabytes; n++) await handle.write(randomBytes(MEGABYTE));
  await handle.close();
}
