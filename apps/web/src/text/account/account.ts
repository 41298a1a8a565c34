import { quoted } from '../devices/names.ts';

/** Texts of the identity confirmation. */
export const confirmText = {
  title: '确认是您本人',
  intro: '这是敏感操作。确认一次后，10 分钟内不用再次确认。',
  confirm: '确认',
  loadFailed: '暂时无法确认身份',
  otherMethods: '换一种方式',
  method: {
    totp: '动态口令',
    passkey: '通行密钥',
    recovery_code: '恢复码',
    password: '登录密码',
    sms: '短信验证码',
  },
  totpHint: '打开身份验证器应用，输入当前显示的 6 位数字。',
  recoveryHint: '输入一个还没有用过的恢复码，每个只能用一次。',
  smsHint: '验证码将发送到您绑定的手机号。',
  passkeyHint: '使用指纹、面容、设备密码或安全密钥确认。',
  usePasskey: '使用通行密钥',
  codeRequired: '请输入 6 位数字验证码',
  recoveryRequired: '请输入恢复码',
  passwordRequired: '请输入登录密码',
  noMethod: '您的账号没有可用的确认方式，请重新登录后再操作。重新登录后的 10 分钟内不需要再次确认。',
  logInAgain: '重新登录',
};

export const codeText = {
  code: '验证码',
  send: '获取验证码',
  resendIn: (seconds: number) => `${seconds} 秒后可重发`,
  sentFor: (minutes: number) => `验证码已发送，${minutes} 分钟内有效`,
};
export const secondFactorText = {
  title: '两步登录',
  intro: '登录时除了密码或验证码，再要求一次只有您能完成的验证。密码泄露了，别人也登录不了。',
  on: '已启用',
  off: '未启用',
  totp: '身份验证器应用',
  totpText: '用手机上的身份验证器应用生成 6 位动态口令。',
  turnOn: '启用',
  turnOff: '停用',
  turnOffTotp: '停用身份验证器应用？',
  turnOffTotpText: '之后登录不再接受它生成的动态口令。如果没有添加通行密钥，两步登录会随之关闭。',
  totpTurnedOff: '身份验证器应用已停用',
  turnOffAll: '关闭两步登录',
  turnOffAllTitle: '关闭两步登录？',
  turnOffAllText: '身份验证器应用、全部通行密钥和恢复码都会失效，以后登录不再需要第二步。',
  turnedOff: '两步登录已关闭',
};

export const totpText = {
  title: '设置身份验证器应用',
  scan: '用身份验证器应用（如 Microsoft Authenticator、Google Authenticator）扫描二维码：',
  qrCode: '身份验证器应用的二维码',
  typeIn: '不能扫码时，在应用中手动输入这个密钥：',
  secret: '密钥',
  code: '应用中显示的 6 位数字',
  finish: '启用',
  turnedOn: '身份验证器应用已启用',
  wrong: '动态口令不正确，请输入应用里的下一个；如果一直不对，请把手机的时间设为自动。',
};

export const passkeysText = {
  title: '通行密钥',
  text: '用指纹、面容、设备密码或安全密钥登录，不用输入用户名和密码，也不怕钓鱼网站；也可以用作其他登录方式的第二步。',
  unsupported: '当前网址或浏览器不支持，请用 https 网址和较新的浏览器打开控制台后添加。',
  add: '添加',
  addTitle: '添加通行密钥',
  name: '名称',
  nameHint: '方便以后认出它，例如“我的手机”。接下来浏览器会请您完成验证。',
  nameRequired: '请输入名称',
  defaultName: '我的通行密钥',
  go: '继续',
  added: '通行密钥已添加',
  renamed: '名称已修改',
  addedAt: (at: string) => `添加于 ${at}`,
  neverUsed: '还没有使用过',
  usedAt: '使用过',
  secondStepOnly: '只能用作第二步，不能直接登录',
  needsPassword: '密码重设过：登录时在第二步用它一次，之后才能直接登录',
  remove: '删除',
  removeLabel: (name: string) => `删除通行密钥 ${name}`,
  removeTitle: (name: string) => `删除通行密钥${quoted(name)}？`,
  removeText: '之后不能再用它登录。设备上保存的那一份可以在设备的设置里删除。',
  removeLastText: '这是最后一种第二步验证，删除后两步登录会随之关闭。',
  removed: '通行密钥已删除',
};

export const trustedBrowsersText = {
  title: '信任的浏览器',
  text: '在这些浏览器上登录不要求第二步。修改密码或退出其他全部登录后，都需要重新信任。',
  current: '当前',
  unknownBrowser: '未知浏览器',
  until: (at: string) => `信任到 ${at}`,
  usedAt: '登录过',
  remove: '不再信任',
  removeLabel: (browser: string) => `不再信任 ${browser}`,
  removed: '下次在它上面登录需要第二步',
};

export const recoveryText = {
  title: '恢复码',
  left: (count: number) => `还有 ${count} 个可用。手机丢失或换新时，可以用它完成第二步。`,
  few: (count: number) => (count === 0 ? '已用完，请重新生成。' : `只剩 ${count} 个可用，请重新生成。`),
  renew: '重新生成',
  renewTitle: '重新生成恢复码？',
  renewText: '现有的恢复码会立即失效。',
  dialogTitle: '保存恢复码',
  once: '这些恢复码只显示这一次。每个可以用一次，请存放在安全的地方，不要放在同一部手机里。',
  copyAll: '复制全部',
  download: '下载',
  codes: '恢复码',
  allCodes: '全部恢复码',
  fileName: '通途恢复码.txt',
  fileHead: (username: string) => `通途 账号 ${username} 的恢复码，每个只能用一次：`,
  saved: '我已保存',
};

export const sessionsText = {
  title: '登录的浏览器',
  intro: '正在登录您账号的浏览器。有不认识的，请立即退出它并修改密码；它打开的页面、允许的网络会同时失效。',
  current: '当前',
  unknownDevice: '未知的浏览器或程序',
  loggedInAt: (at: string) => `登录于 ${at}`,
  active: '活跃',
  end: '退出',
  endLabel: (device: string) => `退出 ${device}`,
  ended: (device: string) => `已退出 ${device}`,
  endOthers: '退出其他全部登录',
  endOthersTitle: '退出其他全部登录？',
  endOthersText:
    '除了当前浏览器，其他地方都需要重新登录，它们打开的页面、允许的网络会立即失效。设备和其他访客不受影响。',
  othersEnded: '其他登录已全部退出',
  onlyThis: '没有其他登录',
};

export const apiTokensText = {
  title: 'API 令牌',
  intro: '供脚本和其他程序调用本服务的接口，只能做您勾选的事。',
  empty: '还没有 API 令牌',
  create: '新建',
  createTitle: '新建 API 令牌',
  name: '名称',
  nameHint: '例如“备份脚本”',
  nameRequired: '请输入名称',
  scopesLabel: '权限',
  scopesHint:
    '访问权限、访问密码和访问白名单决定谁可以访问，修改它们还需要勾选“管理谁可以访问”；修改访问权限不是“需身份验证”的域名映射也一样，只有备注除外。',
  scopesRequired: '请至少选择一项权限',
  scopes: {
    'devices:read': '查看设备和域名映射',
    'devices:write': '修改、检测和删除设备',
    'mappings:write': '新建、修改和删除域名映射',
    'access:write': '管理谁可以访问',
    'records:read': '查看验证记录',
    'records:write': '延长和撤销验证',
  },
  validFor: '有效期',
  days: (days: number) => `${days} 天`,
  forever: '一直有效',
  foreverHint: '泄露后会一直可用，直到您删除它。',
  expires: (at: string) => `${at} 到期`,
  expired: '已过期',
  usedAt: '使用过',
  neverUsed: '还没有使用过',
  remove: '删除',
  removeLabel: (name: string) => `删除 API 令牌 ${name}`,
  removeTitle: (name: string) => `删除 API 令牌${quoted(name)}？`,
  removeText: '使用它的程序会立即无法调用接口。',
  removed: 'API 令牌已删除',
  shownTitle: '保存 API 令牌',
  shownOnce: 'API 令牌只显示这一次，请现在就复制到要使用它的程序里。',
  usage: '使用方法',
  usageOfOne: '使用方法（请把网址里的 1 换成实际的编号）',
  saved: '我已保存',
};

export const accountDataText = {
  title: '账号数据',
  export: '导出我的数据',
  exportText: '下载一个 JSON 文件，包含资料、设备、域名映射、验证记录、登录记录和用量。',
  exportAction: '导出',
  exported: '数据已导出',
  fileName: (username: string, day: string) => `通途-${username}-${day}.json`,
  delete: '删除账号',
  deleteText: '账号和全部数据将在 7 天后删除，在此之前可以撤销。',
  deleteAction: '删除账号…',
  pending: (at: string) => `账号将于 ${at} 删除，在此之前可以撤销。`,
  takeBack: '撤销删除',
  takenBack: '已撤销，账号不会被删除',
};

export const deleteAccountText = {
  title: '删除账号',
  warning: '7 天后，以下内容会永久删除，无法找回：',
  deleted: [
    '全部设备、域名映射和远程应用；公网地址会空出来，可能被别人使用（域名前缀在 30 天之后）',
    '验证记录、远程应用的会话记录、分享链接和 API 令牌',
    '账号资料和登录方式',
  ],
  meanwhile: '这 7 天里一切照常，登录后随时可以撤销。',
  type: (username: string) => `请输入用户名${quoted(username)}以确认`,
  mismatch: '输入的用户名不一致',
  confirm: '7 天后删除账号',
  accepted: (at: string) => `账号将于 ${at} 删除`,
};

export const deletionNoticeText = {
  title: (at: string) => `您的账号将于 ${at} 删除，全部设备和域名映射会一并删除。`,
};
