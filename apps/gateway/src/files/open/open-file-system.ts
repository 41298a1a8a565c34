import type { TargetLogin } from '@tongtu/contract';
import type { LiveSession } from '../../session/live-session.ts';
import type { FileSystem } from '../file-system.ts';
import { CredentialsRequiredError } from '../../session/login-errors.ts';
import { openSmb } from '../smb/smb-file-system.ts';
import { openSftp } from '../sftp/sftp-file-system.ts';
import { openWebdav } from '../webdav/webdav-file-system.ts';

/** What the user has typed since the session began. */
export type TypedCredentials = Pick<TargetLogin, 'username' | 'password' | 'passphrase'>;

/** Connects and logs in, with what the app has stored and the user has typed. */
export async function openFileSystem(
  session: LiveSession,
  typed: TypedCredentials,
  trustedHostKey: string | undefined,
): Promise<FileSystem> {
  const { kind, options, secrets } = session.facts;
  const openStream = (): ReturnType<LiveSession['openStream']> => session.openStream();
  const username = typed.username ?? options.username;
  const password = typed.password ?? secrets.password;
  switch (kind) {
    case 'sftp': {
      const needsPassword = password === undefined && secrets.privateKey === undefined;
      const wanted = [...wantedIf(username === '', 'username'), ...wantedIf(needsPassword, 'password')];
      if (wanted.length > 0) throw new CredentialsRequiredError(wanted);
      return await openSftp({ session, typed, trustedHostKey });
    }
    case 'smb': {
      const isGuest = username.toLowerCase() === 'guest';
      const needsPassword = password === undefined && !isGuest;
      const wanted = [...wantedIf(username === '', 'username'), ...wantedIf(needsPassword, 'password')];
      if (wanted.length > 0) throw new CredentialsRequiredError(wanted);
      const login = { username, password: password ?? '', domain: options.domain };
      return await openSmb({
        ...login,
        openStream,
        memory: session.memory,
        host: session.facts.host,
        startPath: options.path,
      });
    }
    case 'webdav': {
      const wanted = wantedIf(username !== '' && password === undefined, 'password');
      if (wanted.length > 0) throw new CredentialsRequiredError(wanted);
      return await openWebdav({ session, username, password: password ?? '', trustedHostKey });
    }
    default:
      throw new Error(`${kind} has no files`);
  }
}

function wantedIf<Name extends string>(isWanted: boolean, name: Name): Name[] {
  return isWanted ? [name] : [];
}
