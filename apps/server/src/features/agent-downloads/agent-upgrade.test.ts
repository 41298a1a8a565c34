import { expect, test } from 'vitest';
import { agentUpgrade } from './agent-upgrade.ts';

test.each([
  ['0.1.0', '0.1.1'],
  ['0.9.0', '0.10.0'],
  ['0.9.9', '1.0.0'],
])('an agent of version %s can be upgraded to %s', (running, handedOut) => {
  expect(agentUpgrade(running, handedOut)).toBe(handedOut);
});

test.each([
  ['the same version', '0.1.0', '0.1.0'],
  ['a newer patch', '0.1.1', '0.1.0'],
  ['a newer major version', '1.0.0', '0.10.9'],
  ['no version yet', '', '0.1.0'],
  ['a version of another form', '0.1.0-dev', '0.1.0'],
  ['text that begins like a version', '0.0.1 or so', '0.1.0'],
])('an agent with %s is not offered an upgrade', (_what, running, handedOut) => {
  expect(agentUpgrade(running, handedOut)).toBeNull();
});
