/** Everything that ends an agent for good: the exit code of the process and the sentence a person reads. */
const catalogue = {
  'usage.invalid': { exitCode: 2, sentence: '用法不正确' },
  'server.required': { exitCode: 2, sentence: '请用 --server 提供服务器地址' },
  'token.invalid': {
    exitCode: 3,
    sentence: '账号令牌或接入密钥无效、已过期、已用过或已撤销，请在控制台的“添加设备”中复制新的命令',
  },
  'device.removed': {
    exitCode: 4,
    sentence:
      '这台设备已在控制台中删除；如需继续使用，请在本机运行控制台“添加设备”里的命令，或用 TONGTU_TOKEN 提供新的令牌',
  },
  'device.refused': { exitCode: 4, sentence: '服务器拒绝了这台设备' },
  'state.unusable': { exitCode: 5, sentence: '无法使用状态目录，请检查路径和权限' },
  'state.damaged': { exitCode: 5, sentence: '状态文件已损坏，请从备份恢复它；或换一个状态目录并重新绑定' },
  'state.in-use': { exitCode: 5, sentence: '状态目录正被另一个运行中的客户端使用' },
  'relay.pin-mismatch': {
    exitCode: 6,
    sentence: '服务器证书与绑定时不一致，连接可能被劫持；如确认服务器已更换证书，请用 --pin 提供新的指纹',
  },
  'online.too-late': { exitCode: 7, sentence: '设备没有及时上线，原因见上；服务器地址或防火墙可能有误' },
  'protocol.unsupported': { exitCode: 1, sentence: '客户端与服务器的版本不兼容，请更新客户端' },
} as const satisfies Record<string, { exitCode: number; sentence: string }>;

export type AgentErrorCode = keyof typeof catalogue;

/** An expected reason why an agent cannot go on. `message` is the Chinese sentence, with `detail` after it. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly code: AgentErrorCode;
  readonly exitCode: number;
  constructor(code: AgentErrorCode, options: ErrorOptions & { detail?: string } = {}) {
    const { exitCode, sentence } = catalogue[code];
    super(options.detail === undefined ? sentence : `${sentence}（${options.detail}）`, options);
    this.code = code;
    this.exitCode = exitCode;
  }
}
