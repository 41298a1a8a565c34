import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { constants } from 'node:os';

const TIMEOUT_MS = 10_000;
/** The exit status where the descriptor is no socket that the program understands. */
const NO_SOCKET = 100;

/** `refused`: the kernel knows it and does not let us. */
export type SetOutcome = 'set' | 'not-in-kernel' | 'refused' | 'no-tool';

/**
 * Node.js cannot set this option of a socket, but a child process can: it inherits the socket as descriptor 3. The first
 * of these programs that exists is used; perl starts ten times as fast. They exit with the number of the error.
 * 6 is IPPROTO_TCP, 13 TCP_CONGESTION.
 */
const tools: readonly { program: string; args: readonly string[] }[] = [
  {
    program: 'perl',
    args: ['-e', `open(S, "+<&=3") or exit ${NO_SOCKET}; setsockopt(S, 6, 13, $ARGV[0]) or exit($!+0)`],
  },
  {
    program: 'python3',
    args: [
      '-ISc',
      `import socket,sys
try: socket.socket(fileno=3).setsockopt(6,13,sys.argv[1].encode())
except OSError as e: sys.exit(e.errno or ${NO_SOCKET})`,
    ],
  },
];

/**
 * Linux: sets the congestion control of one socket, and of nothing else. It needs no privilege, except for the kernel to
 * load the module. Undefined: the socket is closed.
 */
export async function setCongestionControl(socket: Socket, name: string): Promise<SetOutcome | undefined> {
  for (const { program, args } of tools) {
    // Each time anew: after the end of the socket the number may be that of another file.
    const fd = descriptorOf(socket);
    if (fd === undefined) return undefined;
    const status = await run(program, [...args, name], fd);
    if (status === 0) return 'set';
    if (status === constants.errno.ENOENT) return 'not-in-kernel';
    if (status === constants.errno.EPERM) return 'refused';
  }
  return 'no-tool';
}

/** Node.js has no public name for it. Undefined once the socket is closed. */
function descriptorOf(socket: Socket): number | undefined {
  const { _handle: handle } = socket as { _handle?: { fd?: number } | null };
  return handle?.fd !== undefined && handle.fd >= 0 ? handle.fd : undefined;
}

/** The exit status; undefined if it could not be started or was ended. */
async function run(program: string, args: string[], fd: number): Promise<number | undefined> {
  return await new Promise((resolve) => {
    // By its number, not as a stream: Node.js would stop reading a stream that it gives to a child.
    const child = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'ignore', fd],
      env: { PATH: process.env['PATH'] ?? '' },
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    child.once('error', () => resolve(undefined));
    child.once('exit', (status) => resolve(status ?? undefined));
  });
}
