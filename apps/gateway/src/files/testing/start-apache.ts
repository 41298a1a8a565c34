import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@tongtu/base/testing/free-port';
import { findProgram } from '../../testing/find-program.ts';
import { selfSigned } from './self-signed.ts';
import { type RunningProgram, startProgram } from '../../testing/start-program.ts';

const MODULES = '/usr/lib/apache2/modules';
export const apacheProgram = existsSync(`${MODULES}/mod_dav_fs.so`) ? findProgram('apache2') : undefined;

export type Apache = RunningProgram & { username: string; password: string; shared: string };

/** Apache's WebDAV for the folder `shared`, at `/dav/`. */
export async function startApache(
  folder: string,
  { login, tls = false }: { login: 'Basic' | 'Digest'; tls?: boolean },
): Promise<Apache> {
  if (apacheProgram === undefined) throw new Error('apache2 is missing');
  const port = await freePort();
  const at = (name: string): string => path.join(folder, name);
  mkdirSync(at('shared'), { mode: 0o777 });
  const [username, password, realm] = ['user', 'Pass-1 word', 'files'];
  const digest = createHash('md5').update(`${username}:${realm}:${password}`).digest('hex');
  const hashed = createHash('sha1').update(password).digest('base64');
  writeFileSync(at('users'), login === 'Digest' ? `${username}:${realm}:${digest}\n` : `${username}:{SHA}${hashed}\n`);
  if (tls) {
    const { key, certificate } = await selfSigned('nas');
    writeFileSync(at('key.pem'), key);
    writeFileSync(at('certificate.pem'), certificate);
  }
  const modules = [
    'mpm_event',
    'authn_core',
    'authn_file',
    'authz_core',
    'authz_user',
    'auth_basic',
    'auth_digest',
    'dav',
    'dav_fs',
    'alias',
  ];
  const isRoot = process.getuid?.() === 0;
  writeFileSync(
    at('apache.conf'),
    `ServerRoot ${folder}
ServerName nas
PidFile ${at('apache.pid')}
ErrorLog ${at('error.log')}
Listen 127.0.0.1:${port}
${[...modules, ...(tls ? ['socache_shmcb', 'ssl'] : [])].map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`).join('\n')}
${isRoot ? 'User www-data\nGroup www-data' : ''}
Mutex file:${folder} default
DavLockDB ${at('locks')}
Alias /dav ${at('shared')}
<Location /dav>
  Dav On
  AuthType ${login}
  AuthName ${realm}
  AuthUserFile ${at('users')}
  Require valid-user
</Location>
${tls ? `SSLEngine on\nSSLCertificateFile ${at('certificate.pem')}\nSSLCertificateKeyFile ${at('key.pem')}` : ''}
`,
  );
  if (isRoot) {
    execFileSync('chown', ['-R', 'www-data:www-data', folder]);
    letOthersPass(folder);
  }
  const running = await startProgram(apacheProgram, ['-D', 'FOREGROUND', '-f', at('apache.conf')], { port });
  return { ...running, username, password, shared: at('shared') };
}

/** Started by root it serves as another user, who must be able to reach the folder. */
function letOthersPass(folder: string): void {
  const { mode } = statSync(folder);
  if ((mode & 0o001) === 0) chmodSync(folder, mode | 0o011);
  if (folder !== '/') letOthersPass(path.dirname(folder));
}
