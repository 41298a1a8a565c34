import type { AppFailure } from '@tongtu/contract';
import type { ClientChannel } from 'ssh2';
import { TargetError } from '../session/live-session.ts';
import { ANSWER_TIMEOUT_MS, connectSsh, type SshConnection, toTargetError } from '../ssh/connect-ssh.ts';
import { chooseCredentials } from '../ssh/credentials.ts';
import { Deadline } from '../ssh/deadline.ts';
import type { Shell, ShellDeps } from './shell.ts';

const TERM = 'xterm-256color';
/** A target may refuse it, or lack the locale, and then its programs may garble Chinese. */
const localeOf = { 'utf-8': 'C.UTF-8', gbk: 'zh_CN.GB18030', big5: 'zh_TW.BIG5' } as const;
const NOTHING = Buffer.alloc(0);
/**
 * OpenSSH lets us send 2 MiB that its program has not read: Ctrl+C would wait behind them, and what nobody reads would be
 * run by the shell afterwards. It gives back what was read as soon as 96 KiB are on their way; others do later.
 */
const OPEN_SSH_UNREAD_BYTES = 128 * 1024;

export async function openSshShell(deps: ShellDeps): Promise<Shell> {
  const credentials = chooseCredentials(deps.session.facts, deps.typed);
  const connection = await connectSsh({ ...deps, credentials });
  const channel = await openChannel(connection, deps);
  limitUnread(connection, channel);
  watch(connection, channel, deps);
  const { stream } = connection;
  return {
    // The channel takes what fits into the window of the target. Whether it has left, the stream says by its order.
    write: (bytes) => void channel.write(bytes, () => stream.write(NOTHING, deps.onSent)),
    get unsentBytes() {
      return channel.writableLength + stream.writableLength;
    },
    resize: ({ columns, rows }) => channel.setWindow(rows, columns, 0, 0),
    // The whole connection, because ssh2 keeps in memory what a target sends beyond the window of a channel.
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
  };
}

async function openChannel({ client, stream }: SshConnection, deps: ShellDeps): Promise<ClientChannel> {
  const { promise, resolve, reject } = Promise.withResolvers<ClientChannel>();
  const deadline = new Deadline(deps.answerTimeoutMs ?? ANSWER_TIMEOUT_MS, () => reject(new TargetError('timed-out')));
  const { columns, rows } = deps.size;
  try {
    client.once('close', () => reject(new TargetError('lost')));
    client.once('error', (error) => reject(toTargetError(error)));
    const env = { LANG: localeOf[deps.session.facts.options.encoding] };
    client.shell({ term: TERM, cols: columns, rows }, { env }, (error: Error | undefined, channel) =>
      error === undefined ? resolve(channel) : reject(new TargetError('closed', { cause: error })),
    );
    return await promise;
  } catch (error) {
    stream.destroy();
    throw deps.signal.aborted ? deps.signal.reason : error;
  } finally {
    deadline.stop();
  }
}

function limitUnread({ client }: SshConnection, channel: ClientChannel): void {
  // Of ssh2, which does not type them.
  const { _remoteVer: software } = client as unknown as { _remoteVer?: string };
  const { outgoing } = channel as unknown as { outgoing: { window: number } };
  if (software?.startsWith('OpenSSH')) outgoing.window = Math.min(outgoing.window, OPEN_SSH_UNREAD_BYTES);
}

function watch({ client, stream }: SshConnection, channel: ClientChannel, deps: ShellDeps): void {
  let reason: AppFailure | undefined;
  let hasEnded = false;
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    stream.destroy();
    deps.onEnd(reason ?? 'lost');
  };
  channel.on('data', deps.onOutput).on('error', end);
  channel.stderr.on('data', deps.onOutput);
  channel.on('exit', () => (reason ??= 'closed'));
  // When the connection is lost, ssh2 reports this after the end of the client.
  channel.on('close', () => {
    reason ??= 'closed';
    end();
  });
  client.on('error', (error) => (reason ??= toTargetError(error).code));
  // A target that has only ended its direction (FIN) closes nothing else.
  client.on('end', () => {
    reason ??= 'lost';
    end();
  });
  client.on('close', end);
}
