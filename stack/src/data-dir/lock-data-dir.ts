import { AgentError, lockStateFolder } from '@tongtu/agent';
import { cannotUseDataDir } from '../explain-start-error.ts';
import { OperatorError } from '../operator-error.ts';

/** Locks the data folder until disposed: two copies must not share one set of keys and one database. */
export async function lockDataDir(dataDir: string): Promise<AsyncDisposable> {
  try {
    return await lockStateFolder(dataDir);
  } catch (cause) {
    if (!(cause instanceof AgentError)) throw cause;
    if (cause.code !== 'state.in-use') throw cannotUseDataDir(dataDir, cause);
    throw new OperatorError(`数据目录 ${dataDir} 正被另一个运行中的通途使用。请先停止它，或用 DATA_DIR 指定其他目录`, {
      cause,
    });
  }
}
