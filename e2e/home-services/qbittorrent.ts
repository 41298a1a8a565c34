import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findProgram, thisMachine } from '../../tools/testing/system-requirements.ts';
import { type HomeService, hostTrouble, startService } from './service.ts';
import { form } from './visitor.ts';

const program = findProgram(thisMachine, 'qbittorrent-nox');

const settings = (port: number) => `[LegalNotice]
Accepted=true
[Preferences]
WebUI\\Address=127.0.0.1
WebUI\\Port=${port}
Bittorrent\\DHT=false
Bittorrent\\LSD=false
`;

/** Its login compares Origin and Referer with the Host, and the port of the Host with its own. */
export const qbittorrent: HomeService = {
  name: 'qBittorrent',
  missing: program === undefined ? 'apt-get install qbittorrent-nox' : undefined,
  start: async () =>
    await startService({
      program: program ?? '',
      async prepare({ folder, port }) {
        const config = path.join(folder, 'qBittorrent/config');
        await mkdir(config, { recursive: true });
        await writeFile(path.join(config, 'qBittorrent.conf'), settings(port));
        return [`--profile=${folder}`];
      },
    }),
  async use(visitor) {
    await visitor.get(200, 'GET', '/');
    const login = await visitor.get(
      200,
      'POST',
      '/api/v2/auth/login',
      form({ username: 'admin', password: 'adminadmin' }),
    );
    if (login.text !== 'Ok.') throw new Error(`the login says ${login.text}`);
    await visitor.get(200, 'GET', '/api/v2/app/version');
  },
  troubleOf: ({ host, hasPort }) => (host === 'keep' && hasPort ? hostTrouble : undefined),
};
