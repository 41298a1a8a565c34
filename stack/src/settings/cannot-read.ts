import { OperatorError } from '../operator-error.ts';

/** What the operator can do about the error codes of a path that a setting names. */
const reasons: Record<string, string> = {
  ENOENT: '没有这个文件或目录。请检查路径',
  EACCES: '运行通途的用户没有读取它或进入所在目录的权限。请修改权限',
  EPERM: '运行通途的用户没有读取它的权限。请修改权限',
  EISDIR: '它是一个目录。请写明其中的文件',
  ENOTDIR: '路径中有一项不是目录。请检查路径',
};

/** The error for the operator when the file or folder of a setting cannot be read. */
export function cannotRead(variable: string, path: string, cause: unknown): OperatorError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return new OperatorError(`无法读取 ${variable} 指定的 ${path}：${reasons[code] ?? (code || String(cause))}`, {
    cause,
  });
}
