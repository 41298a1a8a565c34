import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startLanService } from '../testing/lan-service.ts';
import { startTls } from './start-tls.ts';

test.each([true, false])(
  'a connection that is lost before TLS begins fails at once (verified: %j)',
  async (isVerified) => {
    await using service = await startLanService(() => {});
    const socket = connect(service.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    const { signal } = new AbortController();
    await expect(startTls(socket, 'nas.lan', { isVerified, signal })).rejects.toMatchObject({ failure: 'tlsFailed' });
  },
);
