import { type AppFailure, appFailures, type FileFailure } from '@tongtu/contract';
import { TargetError } from '../../session/live-session.ts';
import { FileError } from '../file-system.ts';
import { HostKeyError } from '../../session/login-errors.ts';

const failures: Record<number, FileFailure> = {
  403: 'forbidden',
  404: 'not-found',
  405: 'not-supported',
  409: 'not-found', // the folder above is missing (RFC 4918 §9.3.1)
  410: 'not-found',
  412: 'exists',
  414: 'name-not-possible',
  416: 'changed',
  423: 'in-use',
  501: 'not-supported',
  502: 'other-volume',
  507: 'disk-full',
};

/** What a refused call means to the user. */
export function errorOfStatus(status: number): Error {
  if (status === 401) return new TargetError('login-failed');
  return new FileError(failures[status] ?? 'failed', { cause: new Error(`status ${status}`) });
}

/** What a failed request means: an answer of the target, or that there was none. */
export function webdavError(error: unknown, connectionFailure: unknown): unknown {
  if (error instanceof FileError || error instanceof TargetError || error instanceof HostKeyError) return error;
  const { status, name, code } = error as { status?: unknown; name?: unknown; code?: unknown }; // only compared
  if (typeof status === 'number') return errorOfStatus(status);
  if (connectionFailure instanceof TargetError || connectionFailure instanceof HostKeyError) return connectionFailure;
  if (name === 'TimeoutError') return new TargetError('timed-out', { cause: error });
  const isParser = typeof code === 'string' && code.startsWith('HPE_'); // what came was no HTTP
  return new TargetError(isParser ? 'protocol' : connectionCode(code), { cause: error });
}

function connectionCode(code: unknown): AppFailure {
  return typeof code === 'string' && Object.hasOwn(appFailures, code) ? (code as AppFailure) : 'lost';
}
