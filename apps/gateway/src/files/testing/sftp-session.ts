import type { GatewaySession } from '@tongtu/contract';
import type { Sshd } from '../../testing/start-sshd.ts';
import { createTestSession, type TestSession } from '../../testing/test-session.ts';

/** A session with the files of the machine itself, by SFTP. */
export function sftpSession(sshd: Sshd, facts: Partial<GatewaySession> = {}): TestSession {
  const { port, username, privateKey, hostKey } = sshd;
  return createTestSession({
    kind: 'sftp',
    port,
    hostKey,
    secrets: { privateKey },
    ...facts,
    options: { username, ...facts.options },
  });
}
