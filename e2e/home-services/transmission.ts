import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '@tongtu/base/testing/free-port';
import { findProgram, thisMachine } from '../../tools/testing/system-requirements.ts';
import { type HomeService, hostTrouble, startService } from './service.ts';

const program = findProgram(thisMachine, 'transmission-daemon');

/** Without a password its RPC refuses names that are not in `rpc-host-whitelist`. */
export const transmission: HomeService = {
  name: 'Transmission',
  missing: program === undefined ? 'apt-get install transmission-daemon' : undefined,
  start: async () =>
    await startService({
      program: program ?? '',
      async prepare({ folder, port }) {
        const settings = {
          'rpc-bind-address': '127.0.0.1',
          'rpc-port': port,
          'peer-port': await freePort(),
          'dht-enabled': false,
          'pex-enabled': false,
          'utp-enabled': false,
          'port-forwarding-enabled': false,
        };
        await writeFile(path.join(folder, 'settings.json'), JSON.stringify(settings));
        return ['--foreground', '--config-dir', folder];
      },
    }),
  async use(visitor) {
    await visitor.get(200, 'GET', '/transmission/web/');
    const ask = async (status: number, headers: Record<string, string>) =>
      await visitor.get(status, 'POST', '/transmission/rpc', { headers, body: '{"method":"session-get"}' });
    const first = await ask(409, {});
    await ask(200, { 'x-transmission-session-id': String(first.headers['x-transmission-session-id']) });
  },
  troubleOf: ({ host }) => (host === 'keep' ? hostTrouble : undefined),
};
