import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type {
  Algorithms,
  AuthContext,
  AuthenticationType,
  Connection,
  ParsedKey,
  ServerChannel,
  SFTPWrapper,
} from 'ssh2';
import { fingerprintOf } from '../session/host-keys.ts';
import { ssh2 } from '../ssh/ssh2.ts';

export type TestSshServer = AsyncDisposable & {
  port: number;
  fingerprint: string;
  /** The methods that clients tried, in order. */
  attempts: AuthenticationType[];
};

export type TestSshServerOptions = {
  /** Absent: everybody may log in. */
  onLogin?: (context: AuthContext) => void;
  onShell?: (channel: ServerChannel, connection: Connection) => void;
  onResize?: (size: { rows: number; cols: number }) => void;
  /** It does not answer when a client wants one. */
  hasNoShell?: boolean;
  /** Files; what a client asks there, only the test answers. Absent: a client that wants them is refused. */
  onSftp?: (files: SFTPWrapper, connection: Connection) => void;
  /** A client that wants files gets no answer. */
  hasSilentSftp?: boolean;
  onRequest?: (request: string) => void;
  hostKey?: ParsedKey;
  /** Absent: the usual ones of ssh2. */
  algorithms?: Algorithms;
  /** The name of the software. */
  ident?: string;
};

/** An SSH server that does what a test wants, also what no honest one does. */
export async function startSshServer(options: TestSshServerOptions = {}): Promise<TestSshServer> {
  const hostKey = options.hostKey ?? newKey();
  const attempts: AuthenticationType[] = [];
  const connections = new Set<Connection>();
  const ident = options.ident ?? 'test';
  const server = new ssh2.Server({ ident, hostKeys: [{ key: hostKey }], ...pickAlgorithms(options) }, (connection) => {
    connections.add(connection);
    connection.on('error', () => {}); // clients may hang up
    connection.on('authentication', (context) => {
      attempts.push(context.method);
      if (options.onLogin === undefined) context.accept();
      else options.onLogin(context);
    });
    connection.on('session', (acceptSession) => {
      if (options.hasNoShell === true) return;
      const session = acceptSession();
      session.on('pty', (accept) => accept());
      session.on('window-change', (accept, _reject, { rows, cols }) => {
        options.onResize?.({ rows, cols });
        accept?.();
      });
      session.on('auth-agent', () => options.onRequest?.('agent'));
      session.on('x11', () => options.onRequest?.('x11'));
      if (options.hasSilentSftp === true) session.on('sftp', () => {});
      if (options.onSftp !== undefined) session.on('sftp', (accept) => options.onSftp?.(accept(), connection));
      session.on('shell', (accept) => {
        const channel = accept();
        channel.on('error', () => {}); // as above
        if (options.onShell === undefined) channel.write('$ ');
        else options.onShell(channel, connection);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // of a TCP server
    fingerprint: fingerprintOf(hostKey.getPublicSSH()),
    attempts,
    async [Symbol.asyncDispose]() {
      connections.forEach((connection) => connection.end());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pickAlgorithms({ algorithms }: TestSshServerOptions): { algorithms?: Algorithms } {
  return algorithms === undefined ? {} : { algorithms };
}

export function newKey(): ParsedKey {
  const key = ssh2.utils.parseKey(newPrivateKey());
  if (key instanceof Error) throw key;
  return key;
}

/** Not by ssh2, whose keys are sometimes malformed. */
export function newPrivateKey(): string {
  return generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
}

/** Accepts one password, and lists the methods that are possible. */
export function acceptPassword(password: string): (context: AuthContext) => void {
  return (context) => {
    if (context.method === 'password' && context.password === password) context.accept();
    else context.reject(['password']);
  };
}
