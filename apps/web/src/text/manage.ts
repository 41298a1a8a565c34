import { quoted } from './devices/names.ts';

export const manageText = {
  title: '用户管理',
  failed: '用户加载失败',
  search: '搜索用户名、手机号或邮箱',
  none: '没有找到用户',
  count: (count: number) => `共 ${count} 个用户`,
  create: '新建账号',
  invite: '邀请',
  self: '您',
  states: { active: '正常', disabled: '已停用', waiting: '未设密码', deleting: '正在删除', leaving: '即将删除' },
  wechat: '已绑定微信',
  noContact: '未绑定手机号或邮箱',
  secondFactor: '已启用两步登录',
  devices: (devices: number, mappings: number) => `${devices} 台设备，${mappings} 个地址`,
  lastSeen: '最近使用：',
  neverSeen: '从未登录',
  leavingAt: (at: string) => `本人申请了删除账号，将于 ${at} 删除`,
  actions: (name: string) => `${name} 的操作`,
  passwordLink: '重设密码…',
  firstPasswordLink: '设置密码的链接…',
  roles: '管理权限…',
  disable: '停用',
  enable: '启用',
  remove: '删除…',
  disableTitle: (name: string) => `停用${quoted(name)}？`,
  disableText: '账号会立即退出所有登录，它的设备和访客也会马上断开。数据都会保留，随时可以重新启用。',
  disabled: (name: string) => `已停用 ${name}`,
  enabled: (name: string) => `已启用 ${name}，它的设备会在半分钟内重新上线`,
};

const lives = [
  { hours: 1, word: '1 小时' },
  { hours: 24, word: '1 天' },
  { hours: 72, word: '3 天' },
  { hours: 168, word: '7 天' },
  { hours: 720, word: '30 天' },
];

export const linkText = {
  life: '有效期',
  lives,
  link: '一次性链接',
  onceUntil: (at: string) => `只能用一次，${at} 前有效。链接不会再次显示，请现在就复制或让对方扫码。`,
  done: '完成',
};

export const inviteText = {
  title: '邀请一个人',
  intro: '对方打开链接，自己设置用户名和密码，就有了账号。',
  note: '给谁',
  notePlaceholder: '选填，例如 妈妈',
  way: '怎么给对方',
  ways: { link: '链接或二维码', mail: '发邮件' },
  noMail: '没有配置邮件服务（SMTP_URL），不能发邮件。',
  localMail: (consoleUrl: string) =>
    `邮件里的链接以 ${consoleUrl} 开头，只有服务器自己能打开。请先在服务器上设置 PUBLIC_URL，或改用链接或二维码。`,
  mailHint: '链接只发到这个邮箱，不在这里显示。对方加入后，邮箱就绑定在账号上。',
  email: '对方的邮箱',
  emailInvalid: '请输入正确的邮箱地址',
  submit: '生成邀请',
  send: '发送邀请',
  made: '邀请链接已生成',
  sent: (email: string) => `邀请已发送到 ${email}`,
  pending: '还没有使用的邀请',
  pendingFailed: '邀请加载失败',
  unnamed: '没有备注',
  by: (name: string, until: string) => `${name} 邀请，${until} 前有效`,
  mailed: (email: string) => `已发到 ${email}`,
  revoke: '撤销',
  revokeLabel: (name: string) => `撤销给 ${name} 的邀请`,
  revokeTitle: '撤销这个邀请？',
  revokeText: '链接立即失效，对方不能再用它注册。',
  revoked: '邀请已撤销',
};

export const createAccountText = {
  title: '新建账号',
  intro: '您定用户名，对方用一次性链接设置密码。',
  username: '用户名',
  usernameRequired: '请输入用户名',
  submit: '新建',
  made: (name: string) => `账号 ${name} 已建好`,
  hand: '请把链接交给对方，用它设置密码后即可登录。',
};

export const passwordLinkText = {
  title: (name: string) => `重设${quoted(name)}的密码`,
  firstTitle: (name: string) => `让${quoted(name)}设置密码`,
  intro: '把一次性链接交给对方，由对方自己设置新密码。使用之后，这个账号的其他登录和 API 令牌全部失效；两步登录不变。',
  firstIntro: '把一次性链接交给对方，由对方自己设置密码。之前的链接随即失效。',
  submit: '生成链接',
  made: '设置密码的链接已生成',
};

export const rolesText = {
  title: (name: string) => `${name} 的管理权限`,
  intro: '任何权限都看不到别人的设备和地址里的内容。得到新权限的用户须重新登录。',
  roles: { is_superuser: '超级管理员', is_staff: '管理员', is_promoter: '推广员' },
  hints: {
    is_superuser: '管理所有用户和他们的权限，以及服务器',
    is_staff: '管理普通用户和他们的设备、公告与横幅，以及商品、订单和兑换码',
    is_promoter: '发放分给自己的渠道的兑换码，批量购买兑换码',
  },
  save: '保存',
  saved: (name: string) => `${name} 的权限已修改`,
};

export const deleteUserText = {
  title: '删除账号',
  warning: '立即删除，不能恢复：',
  deleted: (devices: number, mappings: number) => [
    '账号和它的所有登录方式',
    `${devices} 台设备：客户端会断开，须重新添加`,
    `${mappings} 个地址：访客马上打不开；域名前缀 30 天后可供他人使用`,
    '远程应用、分享链接、成员、验证记录和流量统计',
  ],
  instead: '只想让对方暂时不能用？请改用“停用”。',
  type: (name: string) => `请输入用户名${quoted(name)}以确认`,
  mismatch: '与用户名不一致',
  confirm: '永久删除',
  done: (name: string) => `正在删除 ${name}`,
};

export const registrationText = {
  title: '谁可以注册账号',
  options: { open: '开放注册', invitation: '凭邀请', closed: '关闭注册' },
  hints: {
    open: (methods: string) => `任何人都能用${methods}注册。`,
    invitation: '只有收到邀请的人才能注册。用户也可以为自己分享的地址邀请成员。',
    closed: '只有管理员可以新建账号和邀请，用户不能邀请成员。',
  },
  methods: { phone: '手机号', wechat: '微信' },
  or: '或',
  noMethod: '“开放注册”需要先配置短信（SMS）或微信登录，否则别人没有办法自己注册。',
  saved: '已保存',
  failed: '注册设置加载失败',
};
