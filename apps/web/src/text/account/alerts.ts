import type { AlertEvent, AlertFailure, AlertKind } from '@tongtu/contract';
import { quoted } from '../devices/names.ts';

export const alertsText = {
  title: '提醒',
  intro: '设备离线、恢复在线，账号在新的地方登录或新增通行密钥时，主动通知您，不用一直开着控制台。',
  emptyTitle: '还没有提醒方式',
  emptyText: '家里断电、断网时，最先知道的应该是您。添加一种提醒方式，设备离线后就会发消息给您。',
  add: '添加',
  addTitle: '添加提醒方式',
  full: (max: number) => `已有 ${max} 个提醒方式，不能再添加，请先删除不用的。`,
  recent: '最近的提醒',

  offlineAfter: '设备离线多久后提醒',
  offlineAfterText: '路由器重启一般需要两分钟左右。设得太短，重启也会提醒。',
  minutes: (minutes: number) => `${minutes} 分钟`,
  offlineAfterSaved: (minutes: number) => `设备离线 ${minutes} 分钟后提醒您`,

  kind: {
    email: '邮件',
    wecom: '企业微信群机器人',
    dingtalk: '钉钉群机器人',
    feishu: '飞书群机器人',
    bark: 'Bark',
    serverchan: 'Server酱',
    webhook: 'Webhook',
  } satisfies Record<AlertKind, string>,
  event: {
    device_offline: '设备离线',
    device_online: '设备恢复在线',
    new_login: '新的登录',
    passkey_added: '新增通行密钥',
    access_request: '访问申请',
    plan_expiring: '套餐即将到期',
    plan_expired: '套餐已到期',
    ledger_unbalanced: '账目对不上',
  } satisfies Record<AlertEvent, string>,
  events: '提醒内容',
  test: '测试提醒',
};

export const alertChannelText = {
  toggle: (name: string) => `启用 ${name}`,
  off: '已停用',
  sendTest: '发送测试',
  sendTestLabel: (name: string) => `发送测试 ${name}`,
  testing: '正在发送测试提醒…',
  testSent: '测试提醒已发送，请查看是否收到。',
  edit: '修改',
  editLabel: (name: string) => `修改 ${name}`,
  remove: '删除',
  removeLabel: (name: string) => `删除 ${name}`,
  removeTitle: (name: string) => `删除${quoted(name)}？`,
  removeText: '之后不再通过它提醒您，它发送过的记录也会一并删除。',
  removed: (name: string) => `${quoted(name)}已删除`,
  neverSent: '还没有发送过提醒',
  lastSent: '上次成功',
  failed: '发送失败',
  failedBecause: (sentence: string) => `发送失败：${sentence}`,
  toSignInMethods: '去绑定邮箱',
};

export const alertFailureText = {
  why: {
    address_refused: '地址不在公网上',
    unreachable: '连不上对方的服务器',
    timeout: '对方的服务器没有及时回应',
    server_error: '对方的服务器出错了',
    rejected: '对方拒绝接收',
    rate_limited: '发送太频繁，对方暂不接收',
    email_missing: '账号没有绑定邮箱',
    mail_unavailable: '当前服务没有开通邮件',
    mail_failed: '邮件暂时发不出去',
  } satisfies Record<AlertFailure, string>,
  remedy: {
    address_refused: '请改用公网能访问的地址；要发往内网地址，须由管理员开放。',
    unreachable: '请检查地址是否正确，对方的服务是否正常。',
    timeout: '通常会自行恢复；如果一直这样，请检查地址是否正确。',
    server_error: '通常会自行恢复；如果一直这样，请检查对方的服务是否正常。',
    rate_limited: '请过一会儿再试。',
    email_missing: '请先绑定邮箱。',
    mail_unavailable: '请联系管理员，或改用其他提醒方式。',
    mail_failed: '通常会自行恢复；如果一直这样，请联系管理员，或改用其他提醒方式。',
  } satisfies Record<Exclude<AlertFailure, 'rejected'>, string>,
  /** Why each kind of channel refuses a message. */
  rejected: {
    email: '请检查绑定的邮箱地址是否还能收信。',
    wecom: '机器人可能已被移出群聊，请重新添加并更新地址。',
    dingtalk: '请核对加签密钥；如果机器人用的是自定义关键词，请设为“通途”。机器人被移除后需要重新添加。',
    feishu: '请核对签名校验的密钥；如果机器人用的是自定义关键词，请设为“通途”。机器人被移除后需要重新添加。',
    bark: '请核对地址中的 Key，重装 Bark 后它会改变。',
    serverchan: '请核对 SendKey，重置后原来的会失效；也可能是今天的额度用完了。',
    webhook: '对方没有返回 2xx 状态码，请查看接收服务的日志。',
  } satisfies Record<AlertKind, string>,
};

export const alertFormText = {
  editTitle: (kind: string) => `修改提醒方式（${kind}）`,
  kind: '方式',
  name: '名称',
  nameRequired: '请输入名称',
  eventsRequired: '请至少选择一种提醒',
  add: '添加',
  save: '保存',
  saved: '提醒方式已保存',
  keep: '已设置，留空则不修改',
  withoutSecret: '留空则不再使用密钥',
  optional: '选填',
  urlWithSecret: '修改密钥时，请一并重新填写地址',
  tryTitle: '提醒方式已添加',
  tryText: '建议马上发送一条测试提醒，确认真的能收到。',
  done: '完成',

  emailTo: (email: string) => `提醒会发送到您绑定的邮箱 ${email}。`,
  emailMissing: '账号还没有绑定邮箱，请先在“登录方式”中绑定。',
  emailUnavailable: '当前服务没有开通邮件，请选择其他方式。',

  url: {
    wecom: 'Webhook 地址',
    dingtalk: 'Webhook 地址',
    feishu: 'Webhook 地址',
    bark: '推送地址',
    webhook: '网址',
  },
  urlRequired: '请填写地址',
  urlHint: {
    wecom: '企业微信群聊：群设置 → 群机器人（新版叫“消息推送”）→ 添加，复制 Webhook 地址。',
    dingtalk: '钉钉群聊：群设置 → 机器人 → 添加机器人 → 自定义，安全设置选择“加签”，完成后复制 Webhook 地址。',
    feishu: '飞书群聊：设置 → 群机器人 → 添加机器人 → 自定义机器人，复制 Webhook 地址。',
    bark: '打开 Bark，复制首页的测试网址，保留到 Key 为止；也可以填写自建服务器的地址。',
    webhook: '有提醒时，我们会用 POST 向这个网址发送 JSON，返回 2xx 状态码表示收到。',
  },
  urlExample: {
    wecom: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…',
    dingtalk: 'https://oapi.dingtalk.com/robot/send?access_token=…',
    feishu: 'https://open.feishu.cn/open-apis/bot/v2/hook/…',
    bark: 'https://api.day.app/…',
    webhook: 'https://…',
  },
  secret: { dingtalk: '加签密钥', feishu: '签名校验密钥', webhook: '签名密钥' },
  secretHint: {
    dingtalk: '安全设置里“加签”下方以 SEC 开头的一串字符。改用自定义关键词“通途”时，这里留空。',
    feishu: '机器人的安全设置 → 签名校验，复制密钥。没有开启签名校验时留空。',
    webhook: '自己定一个，可以留空。填写后，每条消息的请求头里都有用它计算的签名，可以确认消息来自这里：',
  },
  signatureHeader: 'X-Tongtu-Signature',
  sendKey: 'SendKey',
  sendKeyRequired: '请填写 SendKey',
  sendKeyHint: '用微信登录 sct.ftqq.com，在 SendKey 页面复制；Server酱³ 在 sc3.ft07.com 复制。以 SCT 或 sctp 开头。',
};

export const alertDeliveriesText = {
  title: '最近的提醒',
  hint: '最近 30 天发出的提醒。',
  empty: '最近 30 天没有提醒',
  failed: '最近的提醒加载失败',
  more: '加载更多',
  unfold: '展开',
  fold: '收起',
  state: { waiting: '等待发送', sent: '已发送', failed: '发送失败' },
  willRetry: '稍后会自动重试。',
};

export const deviceAlertsText = {
  turnOn: '开启离线提醒',
  turnOff: '关闭离线提醒',
  setUp: '设置离线提醒',
  turnedOn: (name: string) => `${quoted(name)}离线时会提醒您`,
  turnedOff: (name: string) => `${quoted(name)}离线时不再提醒您`,
  isOff: '离线提醒已关闭',
};
