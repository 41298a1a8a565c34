import { createRequire } from 'node:module';
import type { Server, Socket } from 'node:net';

/** Of linux/tcp.h, for every processor. */
const IPPROTO_TCP = 6;
/** Longer than `struct tcp_info` of any kernel so far. */
const MAX_OPTION_BYTES = 1024;

/** Options of TCP sockets that Node.js has no functions for. */
export const TCP_INFO = 11;
export const TCP_CONGESTION = 13;
export const TCP_NOTSENT_LOWAT = 25;

type OptionSocket = Socket | Server;

/** getsockopt and setsockopt of the C library. */
type SocketCalls = {
  /** The bytes are overwritten by the next call. Undefined: the system has no such option, or the socket is closed. */
  get: (socket: OptionSocket, option: number) => Buffer | undefined;
  /** Returns the name of the system's error, such as `EPERM`; undefined after success. */
  set: (socket: OptionSocket, option: number, value: Buffer) => string | undefined;
};

type Koffi = typeof import('koffi');

/** `problem`: why there are none. */
export type LoadedCalls = { calls: SocketCalls; problem?: undefined } | { calls?: undefined; problem: string };

let loaded: LoadedCalls | undefined;

/** Loaded at the first call, which takes some milliseconds and 3 MB. */
export function getSocketCalls(): LoadedCalls {
  return (loaded ??= loadSocketCalls(createRequire(import.meta.url)));
}

/** None where the system is no Linux, or where the library has no machine code for it. */
export function loadSocketCalls(require: (name: string) => unknown): LoadedCalls {
  if (process.platform !== 'linux') return { problem: `the system is ${process.platform}` };
  try {
    // An optional dependency: npm leaves it out where it cannot be installed.
    return { calls: bindCalls(require('koffi') as Koffi) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function bindCalls(koffi: Koffi): SocketCalls {
  const process = koffi.load(null);
  type Call = (fd: number, level: number, option: number, value: Buffer, length: unknown) => number;
  const getsockopt = process.func(
    'int getsockopt(int fd, int level, int option, _Out_ void *value, _Inout_ uint32_t *length)',
  ) as Call;
  const setsockopt = process.func(
    'int setsockopt(int fd, int level, int option, const void *value, uint32_t length)',
  ) as Call;
  const codes = Object.entries(koffi.os.errno);
  const scratch = Buffer.alloc(MAX_OPTION_BYTES);
  const length = [0];
  return {
    get(socket, option) {
      const fd = descriptorOf(socket);
      if (fd === undefined) return undefined;
      length[0] = MAX_OPTION_BYTES;
      if (getsockopt(fd, IPPROTO_TCP, option, scratch, length) !== 0) return undefined;
      return scratch.subarray(0, length[0]);
    },
    set(socket, option, value) {
      const fd = descriptorOf(socket);
      if (fd === undefined) return 'EBADF';
      if (setsockopt(fd, IPPROTO_TCP, option, value, value.length) === 0) return undefined;
      const errno = koffi.errno();
      return codes.find(([, number]) => number === errno)?.[0] ?? `error ${errno}`;
    },
  };
}

/**
 * Node.js shows the descriptor of a socket only through its handle, of TCP and TLS sockets alike. A socket that is closed
 * has no handle, so this is never the descriptor of another one.
 */
function descriptorOf(socket: OptionSocket): number | undefined {
  const { _handle: handle } = socket as unknown as { _handle?: { fd?: unknown } | null };
  return typeof handle?.fd === 'number' && handle.fd >= 0 ? handle.fd : undefined;
}
