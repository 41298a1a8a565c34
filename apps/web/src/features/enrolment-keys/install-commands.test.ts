import { expect, test } from 'vitest';
import { installCommand } from './install-commands.ts';

test('the line to paste names the server, the token and the key to trust', () => {
  const input = { origin: 'http://192.168.1.2:8080', token: 'tt_abc', relayPin: 'pin' };
  expect(installCommand(input)).toBe(
    'if command -v curl >/dev/null; then curl -fsSL http://192.168.1.2:8080/agent/install.sh; ' +
      'else wget -qO- http://192.168.1.2:8080/agent/install.sh; fi | TONGTU_TOKEN=tt_abc sh -s -- --pin pin',
  );
});
