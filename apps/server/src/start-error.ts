/** Sentences for the operator at the terminal, not for API clients. */
const sentences = {
  'data-dir.not-writable': '数据目录无法写入，请检查它的权限和磁盘空间',
  'data-dir.full':
    '磁盘空间不足，内置数据库无法建立或启动。请清理磁盘，或用 DATA_DIR 指定其他磁盘上的目录；首次启动至少需要 60 MB，建议留出 1 GB 以上。数据目录',
  'data-dir.in-use': '数据目录正被另一个运行中的通途使用，请先停止它，或为本程序换一个数据目录（DATA_DIR）',
  'data-dir.foreign': '数据目录里已有其他文件，不是通途的数据库；请换一个空目录（DATA_DIR）',
  'data-dir.other-version': '数据目录由另一个版本的 PostgreSQL 建立，无法直接使用；请先按运维文档升级数据',
  'secrets.other':
    '密钥文件 secrets.json 与数据库不符，原有的账号令牌将无法读取。请恢复原来的密钥文件，或换一个空的数据库',
  'database.platform': '这台机器的系统没有内置数据库可用，请设置 DATABASE_URL 使用自己的 PostgreSQL',
  'database.not-started': '内置数据库启动失败',
  'database.unreachable': '无法连接数据库，请检查 DATABASE_URL 以及 PostgreSQL 是否在运行',
  'database.too-old': '数据库版本过旧，需要 PostgreSQL 15 或更新版本',
  'database.newer':
    '数据库已被更新版本的通途升级过，当前版本不能使用它，数据没有改动。请启动那个更新的版本，或恢复升级前的备份。多出的迁移',
  'database.no-tables':
    '这里没有通途的数据库，没有做任何改动。请检查 DATA_DIR 和 DATABASE_URL 是否与服务的设置相同；还没有启动过的通途请先启动一次',
  'database.other-version':
    '数据库由另一个版本的通途建立，没有做任何改动。请在使用这个数据库的那个版本的目录里执行；升级时请先启动新版本。迁移的差别',
  'listen.port-taken': '端口已被其他程序占用，请先停止它，或换一个端口',
} as const;

export type StartErrorCode = keyof typeof sentences;

/**
 * An expected reason why the product cannot start or cannot carry out a command. `message` is a complete Chinese sentence.
 * `detail` names the folder, port or cause.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly code: StartErrorCode;
  constructor(code: StartErrorCode, detail: string, options?: ErrorOptions) {
    super(detail === '' ? sentences[code] : `${sentences[code]}：${detail}`, options);
    this.code = code;
  }
}
