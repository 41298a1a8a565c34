import { ssh2 } from '../../ssh/ssh2.ts';
import { TargetError } from '../../session/live-session.ts';
import { FileError } from '../file-system.ts';

const { STATUS_CODE } = ssh2.utils.sftp;

/** The status of a reply (draft-ietf-secsh-filexfer-02 §7); undefined when there was no reply. */
function statusOf(error: unknown): number | undefined {
  const { code } = (error ?? {}) as { code?: unknown }; // only compared
  return typeof code === 'number' ? code : undefined;
}

export function isEndOfList(error: unknown): boolean {
  return statusOf(error) === STATUS_CODE.EOF;
}

/** OpenSSH has one status for very different causes. The caller knows more of them. */
export function isGeneralFailure(error: unknown): boolean {
  return error instanceof FileError && statusOf(error.cause) === STATUS_CODE.FAILURE;
}

export function sftpError(error: unknown): Error {
  switch (statusOf(error)) {
    case STATUS_CODE.NO_SUCH_FILE:
      return new FileError('not-found', { cause: error });
    case STATUS_CODE.PERMISSION_DENIED:
      return new FileError('forbidden', { cause: error });
    case STATUS_CODE.OP_UNSUPPORTED:
      return new FileError('not-supported', { cause: error });
    case STATUS_CODE.BAD_MESSAGE: // OpenSSH: the name is too long, or not one that its disk takes
      return new FileError('name-not-possible', { cause: error });
    case undefined:
    case STATUS_CODE.NO_CONNECTION:
    case STATUS_CODE.CONNECTION_LOST:
      return new TargetError('lost', { cause: error });
    default:
      return new FileError('failed', { cause: error });
  }
}
