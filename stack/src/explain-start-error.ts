import { OperatorError } from './operator-error.ts';

const OTHER_DISK = '请清理磁盘，或用 DATA_DIR 指定其他磁盘上的目录；首次启动至少需要 60 MB，建议留出 1 GB 以上';
const OTHER_RIGHTS = '请修改权限，或用 DATA_DIR 指定其他目录';
const MORE_FILES = '请提高上限（ulimit -n，systemd 的 LimitNOFILE）';

/** Error codes of the system, and what the operator can do about them. */
const problems: Record<string, string> = {
  EACCES: `没有读写权限。${OTHER_RIGHTS}`,
  EPERM: `没有读写权限。${OTHER_RIGHTS}`,
  EROFS: '所在磁盘是只读的。请重新挂载为可写，或用 DATA_DIR 指定其他磁盘上的目录',
  ENOSPC: `磁盘空间已满。${OTHER_DISK}`,
  EDQUOT: `磁盘配额已用完。${OTHER_DISK}`,
  EIO: '磁盘读写出错。请检查磁盘，或用 DATA_DIR 指定其他磁盘上的目录',
  ENOTDIR: '路径中有一项不是目录。请用 DATA_DIR 指定其他目录',
  EEXIST: '路径已被一个文件占用。请用 DATA_DIR 指定其他目录',
  ENOENT: '这里不能新建目录。请用 DATA_DIR 指定其他目录',
  EMFILE: `打开的文件和连接已达上限。${MORE_FILES}`,
  ENFILE: `整个系统打开的文件已达上限（fs.file-max）`,
};
/** Only the data folder causes these. The others may also be bugs, for which the stack is shown. */
const unmistakable = new Set(['EROFS', 'ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE']);

/** SQLSTATE of PostgreSQL (appendix A). */
const DISK_FULL = '53100';
const MAX_CAUSES = 10;

/** Why the data folder cannot be used. */
export function cannotUseDataDir(dataDir: string, cause: unknown): OperatorError {
  const code = findCode(cause, (found) => found in problems) ?? '';
  const reason = problems[code] ?? `${messageOf(cause)}。${OTHER_RIGHTS}`;
  return new OperatorError(`无法使用数据目录 ${dataDir}：${reason}`, { cause });
}

/** A start failure as an error for the operator; undefined for a bug. */
export function explainStartError(error: unknown, dataDir: string): OperatorError | undefined {
  const code = findCode(error, (found) => found === DISK_FULL || unmistakable.has(found));
  if (code === undefined) return undefined;
  if (code !== DISK_FULL) return cannotUseDataDir(dataDir, error);
  return new OperatorError('数据库所在的磁盘空间已满。请清理磁盘后重新启动', { cause: error });
}

/** The first wanted code in an error or its causes. */
function findCode(error: unknown, isWanted: (code: string) => boolean): string | undefined {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    if ('code' in current && typeof current.code === 'string' && isWanted(current.code)) return current.code;
    current = current.cause;
  }
  return undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
