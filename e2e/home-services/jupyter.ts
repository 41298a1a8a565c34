import { existsSync } from 'node:fs';
import { type HomeService, hostTrouble, startService } from './service.ts';
import { form } from './visitor.ts';

/** Debian's packages are those of its own Python. */
const program = '/usr/bin/python3';
const packages = '/usr/lib/python3/dist-packages';
const isHere = existsSync(`${packages}/jupyter_server`) && existsSync(`${packages}/terminado`);
const token = 'a-token-of-the-test';

/** It listens on the loopback address, and so serves no other name. Forms, scripts and WebSockets must be of its Host. */
export const jupyter: HomeService = {
  name: 'Jupyter',
  missing: isHere ? undefined : 'apt-get install jupyter-server',
  start: async () =>
    await startService({
      program,
      env: (folder) => ({ HOME: folder, JUPYTER_RUNTIME_DIR: folder, JUPYTER_CONFIG_DIR: folder }),
      prepare: ({ folder, port }) => [
        ...['-m', 'jupyter_server', '--allow-root', '--no-browser', '--ServerApp.ip=127.0.0.1'],
        ...[`--ServerApp.port=${port}`, '--ServerApp.port_retries=0'],
        ...[`--ServerApp.token=${token}`, `--ServerApp.root_dir=${folder}`],
      ],
    }),
  async use(visitor) {
    await visitor.get(200, 'GET', '/login');
    const xsrf = () => visitor.cookie('_xsrf') ?? '';
    const login = await visitor.get(302, 'POST', '/login', form({ password: token, _xsrf: xsrf() }));
    await visitor.get(200, 'GET', visitor.pathOf(login.headers.location));
    const headers = { 'content-type': 'application/json', 'x-xsrftoken': xsrf() };
    const { text } = await visitor.get(200, 'POST', '/api/terminals', { headers, body: '{}' });
    const { name } = JSON.parse(text) as { name: string }; // as its documents say
    await visitor.firstMessage(`/terminals/websocket/${name}`);
    await visitor.get(204, 'DELETE', `/api/terminals/${name}`, { headers });
  },
  troubleOf: ({ host }) => (host === 'keep' ? hostTrouble : undefined),
};
