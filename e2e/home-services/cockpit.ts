import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeCertificate } from '@tongtu/relay/testing/certificate';
import { cockpitProgram as program, thisMachine } from '../../tools/testing/system-requirements.ts';
import { type HomeService, startService } from './service.ts';

const authorization = `Basic ${Buffer.from('home:Pass-1').toString('base64')}`;

/** Its WebSocket must be of the origin that its Host and its own TLS say. From its own machine it can be used by http. */
export const cockpit = cockpitBy('https');
export const cockpitByHttp = cockpitBy('http');

function cockpitBy(scheme: 'http' | 'https'): HomeService {
  return {
    name: scheme === 'https' ? 'Cockpit' : 'Cockpit by http',
    missing: thisMachine.isExecutable(program) ? undefined : 'apt-get install cockpit-ws',
    start: async () =>
      await startService({
        program,
        scheme,
        env: (folder) => ({ XDG_CONFIG_DIRS: folder }),
        async prepare({ folder, port }) {
          const certificates = path.join(folder, 'cockpit/ws-certs.d');
          await mkdir(certificates, { recursive: true });
          const { cert, key } = await makeCertificate({ subject: 'cockpit', names: ['cockpit'] });
          await writeFile(path.join(certificates, '1.cert'), cert);
          await writeFile(path.join(certificates, '1.key'), key);
          const session = path.join(folder, 'session');
          await writeFile(
            session,
            `#!/bin/sh\nexec ${process.execPath} ${path.join(import.meta.dirname, 'cockpit-session.ts')}\n`,
          );
          await chmod(session, 0o755);
          await writeFile(path.join(folder, 'cockpit/cockpit.conf'), `[basic]\ncommand = ${session}\n`);
          return ['--address=127.0.0.1', `--port=${port}`];
        },
      }),
    troubleOf: ({ host, ...visitor }) =>
      host === 'keep' && visitor.scheme !== scheme
        ? { fix: { forwarded_proto: scheme }, says: 'WebSocket' }
        : undefined,
    async use(visitor) {
      await visitor.get(200, 'GET', '/');
      await visitor.get(200, 'GET', '/cockpit/login', { headers: { authorization } });
      const message = await visitor.firstMessage('/cockpit/socket', ['cockpit1']);
      if (!message.includes('"csrf-token"')) throw new Error(`the WebSocket says ${message}`);
    },
  };
}
