import type { CloudAppKind } from '@tongtu/contract/app-kinds';
import { plainName, quoted } from '../devices/names.ts';

/** What each kind is called. */
export const appKindWords: Record<CloudAppKind, string> = {
  ssh: 'SSH 终端',
  telnet: 'Telnet 终端',
  vnc: 'VNC 远程桌面',
  rdp: 'Windows 远程桌面',
  aria2: 'Aria2 下载',
  sftp: 'SFTP 文件',
  webdav: 'WebDAV 文件',
  smb: 'SMB 共享文件夹',
  wol: '网络唤醒',
};

/** The apps of a device, in its tabs. */
export const cloudAppsText = {
  tabsLabel: (device: string) => `${plainName(device)} 的内容`,
  groups: { app: '远程应用', files: '文件管理' },
  add: { app: '添加远程应用', files: '添加文件管理' },
  empty: {
    app: '还没有远程应用。添加一个，就能在浏览器里直接打开这台设备所在局域网的终端、桌面和下载，不用装软件。',
    files: '还没有文件管理。添加一个，就能在浏览器里管理这台设备所在局域网的文件，不用装软件。',
  },
  failed: '远程应用加载失败',
  loading: '正在加载',
  open: '打开',
  openLabel: (name: string) => `打开 ${plainName(name)}（新标签页）`,
  wake: '唤醒',
  wakeLabel: (name: string) => `唤醒 ${plainName(name)}（新标签页）`,
  wakeAndOpen: '唤醒并打开',
  wakeAndOpenLabel: (name: string) => `唤醒并打开 ${plainName(name)}（新标签页）`,
  more: (name: string) => `${plainName(name)} 更多操作`,
  moreShort: '更多操作',
  edit: '编辑',
  members: '成员',
  enable: '启用',
  disable: '停用',
  remove: '删除',
  sessions: '会话',
  sessionsLabel: '远程应用的会话',
  disabled: '已停用',
  onlyOwner: '仅自己',
  ownerAndMembers: (count: number) => `自己和 ${count} 位成员`,
  secondFactor: '打开前验证第二步',
  enabledAgain: (name: string) => `${quoted(name)}已启用`,
  disabledNow: (name: string) => `${quoted(name)}已停用，它的会话已结束`,
  disableTitle: (name: string) => `停用${quoted(name)}？`,
  disableText: '它正在进行的会话会立即结束，停用期间谁都打不开。随时可以重新启用。',
  removeTitle: (name: string) => `删除${quoted(name)}？`,
  removeText: '它正在进行的会话会立即结束，保存的密码和密钥一并删除，且无法恢复。目标上的内容不受影响。',
  removed: (name: string) => `${quoted(name)}已删除`,
  sharedBy: (owner: string) => `由 ${plainName(owner)} 共享`,
  leave: '退出共享',
  leaveLabel: (name: string) => `退出共享 ${plainName(name)}`,
  leaveTitle: (name: string) => `退出${quoted(name)}的共享？`,
  leaveText: (owner: string) =>
    `您不再是它的成员：它会从这里消失，您正在进行的会话立即结束。以后想再打开，需请${quoted(owner)}重新添加您。`,
  left: (name: string) => `已退出${quoted(name)}的共享`,
};

export const appMembersText = {
  title: (name: string) => `成员 · ${plainName(name)}`,
  hint: '成员用自己的账号登录后就能打开它，与您使用同一份保存的用户名和密码，但看不到密码，也不能修改设置。',
  account: '对方的用户名',
  accountPlaceholder: '例如 zhangsan',
  accountRequired: '请输入对方的用户名',
  add: '添加',
  added: (account: string) => `已添加 ${plainName(account)}`,
  empty: '还没有成员',
  failed: '成员加载失败',
  since: '添加',
  remove: '移除',
  removeLabel: (account: string) => `移除 ${plainName(account)}`,
  removeTitle: (account: string) => `移除 ${plainName(account)}？`,
  removeText: '对方立即不能再打开它，正在进行的会话也会结束。',
  removed: (account: string) => `已移除 ${plainName(account)}`,
};
