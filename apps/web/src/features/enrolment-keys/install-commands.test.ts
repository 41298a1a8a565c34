import { expect, test } from 'vitest';
import { installCommand, windowsCommand } from './install-commands.ts';

test('the line to paste names the server, the token and the key to trust', () => {
  const input = { origin: 'http://192.168.1.2:8080', token: 'tt_abc', relayPin: 'pin' };
  expect(installCommand(input)).toBe(
    'if command -v curl >/dev/null; then curl -fsSL http://192.168.1.2:8080/agent/install.sh; ' +
      'else wget -qO- http://192.168.1.2:8080/agent/install.sh; fi | TONGTU_TOKEN=tt_abc sh -s -- --pin pin',
  );
});

test('the line for Windows hands the token over by a variable', () => {
  const input = { origin: 'https://example.com', token: 'te_abc', relayPin: 'pin' };
  expect(windowsCommand(input)).toBe(
    "$env:TONGTU_TOKEN='te_abc'; $env:TONGTU_PIN='pin'; irm https://example.com/agent/install.ps1 | iex",
  );
});
