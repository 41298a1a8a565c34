import { TargetError } from '../session/live-session.ts';
import { ANSWER_TIMEOUT_MS } from '../ssh/connect-ssh.ts';
import { Deadline } from '../ssh/deadline.ts';
import type { Shell, ShellDeps } from './shell.ts';
import { TelnetCodec } from './telnet-codec.ts';
import { TelnetPacing } from './telnet-pacing.ts';

/** Of our answers that a target does not read. */
const MAX_UNREAD_BYTES = 2 * 1024 * 1024;

/** Telnet has no login of its own: the target asks for it in the terminal. */
export async function openTelnetShell(deps: ShellDeps): Promise<Shell> {
  const codec = new TelnetCodec(deps.size);
  deps.signal.throwIfAborted();
  const stream = deps.session.openStream();
  const abort = (): void => void stream.destroy();
  deps.signal.addEventListener('abort', abort, { once: true });
  let failure: TargetError | undefined;
  let isOpen = false;
  let hasSaidGoodbye = false;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const send = (bytes: Buffer): void => void (bytes.length > 0 && stream.writable && stream.write(bytes, deps.onSent));

  const pacing = new TelnetPacing({ send, createMark: () => codec.createMark(), onSent: deps.onSent });

  stream.on('data', (chunk: Buffer) => {
    const { text, reply, marks } = codec.decode(chunk);
    send(reply);
    pacing.takeAnswers(marks);
    if (text.length > 0) deps.onOutput(text);
    if (stream.writableLength > MAX_UNREAD_BYTES) stream.destroy(new TargetError('protocol'));
  });
  stream.on('error', (error) => (failure = error instanceof TargetError ? error : new TargetError('lost')));
  stream.on('end', () => {
    hasSaidGoodbye = true;
    stream.destroy();
  });
  stream.on('close', () => {
    deps.signal.removeEventListener('abort', abort);
    pacing[Symbol.dispose]();
    const error = failure ?? new TargetError(hasSaidGoodbye ? 'closed' : 'lost');
    if (isOpen) deps.onEnd(error.code);
    else reject(deps.signal.aborted ? deps.signal.reason : error);
  });
  // The stream takes nothing before it is connected.
  stream.write(Buffer.alloc(0), (error) => (error ? undefined : resolve()));
  const deadline = new Deadline(deps.answerTimeoutMs ?? ANSWER_TIMEOUT_MS, () => {
    reject(new TargetError('timed-out'));
    stream.destroy();
  });
  await promise.finally(() => deadline.stop());
  isOpen = true;

  return {
    write(bytes) {
      if (codec.needsLocalEcho) deps.onOutput(echoOf(bytes));
      pacing.write(codec.encode(bytes));
    },
    get unsentBytes() {
      return stream.writableLength + pacing.queuedBytes;
    },
    resize: (size) => send(codec.resize(size)),
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
  };
}

/** As a terminal shows it that does its own echo: Enter begins a line. */
function echoOf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r', '\r\n'), 'latin1');
}
