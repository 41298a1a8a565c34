import { expect, test } from 'vitest';
import { installCommand } from './install-commands.ts';

test('the line to paste names the server, the token and the key to trust', () => {
  const input = { origin: 'http://192.168.1.2:8080', token: 'tt_abc', relayPin: 'pin' };
  expect(installCommand(input)).toBe(
    'curl -fsSL http://192.168.1.2:8080/agent/install.sh | TONGTU_TOKEN=tt_abc sh -s -- --pin pin',
  );
});
