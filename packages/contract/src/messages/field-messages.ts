import {
  MAX_ACCESS_PASSWORD_LENGTH,
  MAX_ALLOW_LIST_ENTRIES,
  MAX_PASSWORD_LENGTH,
  MIN_ACCESS_PASSWORD_LENGTH,
  MIN_DIFFERENT_CHARACTERS,
  MIN_PASSWORD_LENGTH,
} from '../limits.ts';
import type { LocalizedText } from './localized-text.ts';

/**
 * Messages for fields, where `issueText` has no fitting general one. A schema's message is the code, because a schema
 * does not know the reader's language; the server replaces it by the text. This file imports no library, so the browser
 * can load it.
 */
export const fieldMessages = {
  'account.missing': { zh: '请输入账号', en: 'Enter your account' },
  'password.missing': { zh: '请输入密码', en: 'Enter your password' },
  'old-password.missing': { zh: '请输入原密码', en: 'Enter your current password' },
  'terms.not-accepted': { zh: '请先阅读并同意服务条款', en: 'Read and accept the terms of service first' },
  'invitation.token': { zh: '链接不完整，请重新复制', en: 'The link is not complete. Copy it again' },
  'code.shape': { zh: '请输入 6 位数字验证码', en: 'Enter the code of 6 digits' },
  'phone.missing': { zh: '请输入手机号', en: 'Enter a phone number' },
  'phone.too-long': { zh: '手机号过长', en: 'The phone number is too long' },
  'rebind.proof-missing': {
    zh: '请输入原手机号的验证码或登录密码',
    en: 'Enter either the code sent to the former number or your password',
  },

  'username.shape': {
    zh: '用户名为 2–32 个字母、汉字、数字或 _ . -',
    en: 'A user name has 2 to 32 letters, digits or _ . -',
  },
  'username.variants': {
    zh: '用户名不能使用全角、上标等变体字符，请改用普通字符',
    en: 'A user name cannot have full-width, superscript or other variants of characters',
  },
  'username.scripts': {
    zh: '用户名不能混用不同语言的字母（如拉丁字母和西里尔字母），也不能使用少见的文字',
    en: 'A user name cannot mix letters of several scripts (such as Latin and Cyrillic), or use a rare script',
  },
  'username.no-letter': {
    zh: '用户名至少包含一个字母、汉字或数字',
    en: 'A user name has at least one letter or digit',
  },
  'username.phone-like': {
    zh: '用户名不能是手机号或一长串数字',
    en: 'A user name cannot be a phone number or a long row of digits',
  },

  'new-password.too-short': {
    zh: `新密码至少 ${MIN_PASSWORD_LENGTH} 个字符`,
    en: `A new password has at least ${MIN_PASSWORD_LENGTH} characters`,
  },
  'new-password.too-long': {
    zh: `新密码不能超过 ${MAX_PASSWORD_LENGTH} 个字符`,
    en: `A new password has at most ${MAX_PASSWORD_LENGTH} characters`,
  },
  'new-password.too-uniform': {
    zh: `新密码至少包含 ${MIN_DIFFERENT_CHARACTERS} 个不同的字符`,
    en: `A new password has at least ${MIN_DIFFERENT_CHARACTERS} different characters`,
  },
  'new-password.a-run': {
    zh: '新密码不能是连续的字母、数字或键盘上相邻的按键',
    en: 'A new password cannot be a run of letters, digits or adjacent keys',
  },
  'new-password.own-word': {
    zh: '新密码不能与用户名、手机号或邮箱相同，也不能只多几个字符',
    en: 'A new password cannot be your user name, phone number or email address, nor that and a few characters more',
  },
  'new-password.product-word': {
    zh: '新密码不能是产品名“通途”（tongtu）加上几个字符，太容易猜到',
    en: 'A new password cannot be the name of this product and a few characters more: it is guessed at once',
  },
  'new-password.common': {
    zh: '新密码是常见的词（如 password、admin、woaini）加上几个数字或符号，太容易猜到',
    en: 'A new password cannot be common words (such as password or admin) and a few characters more: it is guessed at once',
  },

  'digits.only': { zh: '只能填写数字 0 到 9', en: 'Only the digits 0 to 9 are allowed' },
  'text.hidden': { zh: '不能包含不可见的字符', en: 'Invisible characters are not allowed' },
  'text.control': { zh: '不能包含控制字符', en: 'Control characters are not allowed' },
  'text.not-ascii': { zh: '不能包含空格和中文', en: 'Only visible ASCII characters are allowed' },
  'name.missing': { zh: '请输入名称', en: 'Enter a name' },
  'url.web': {
    zh: '请输入以 http:// 或 https:// 开头的网址',
    en: 'Enter a URL that begins with http:// or https://',
  },
  'end.not-after-start': { zh: '结束时间必须晚于开始时间', en: 'The end must be later than the beginning' },

  'ip-address.shape': { zh: '请输入 IPv4 或 IPv6 地址', en: 'Enter an IPv4 or IPv6 address' },
  'announcement-title.missing': { zh: '请输入标题', en: 'Enter a title' },
  'announcement-detail.missing': { zh: '请输入内容', en: 'Enter the text' },

  'scopes.none': { zh: '请至少选择一项权限', en: 'Choose at least one scope' },

  'captcha.purpose-or-key': {
    zh: 'purpose 和 key 须且仅须给出一个',
    en: 'Exactly one of purpose and key is needed',
  },

  'device-name.missing': { zh: '请输入设备名称', en: 'Enter a name for the device' },
  'allow-list.entry': {
    zh: '请输入 IP 地址或网段，例如 203.0.113.7 或 203.0.113.0/24',
    en: 'Enter an IP address or a range, such as 203.0.113.7 or 203.0.113.0/24',
  },
  'allow-list.too-many': {
    zh: `最多 ${MAX_ALLOW_LIST_ENTRIES} 个地址或网段`,
    en: `At most ${MAX_ALLOW_LIST_ENTRIES} addresses or ranges`,
  },
  'router-info.uid-or-domain': { zh: '请提供 uid 或 domain', en: 'Exactly one of uid and domain is needed' },

  'prefix.missing': { zh: '请输入域名前缀', en: 'Enter a prefix' },
  'prefix.too-long': { zh: '域名前缀不能超过 63 个字符', en: 'A prefix has at most 63 characters' },
  'prefix.shape': {
    zh: '域名前缀只能使用小写字母、数字和连字符，且不能以连字符开头或结尾',
    en: 'A prefix has lower-case letters, digits and hyphens, and neither begins nor ends with a hyphen',
  },
  'prefix.punycode': {
    zh: '域名前缀的第 3、4 位不能同时是连字符',
    en: 'The third and fourth character of a prefix cannot both be hyphens',
  },
  'prefix.or-domain': {
    zh: '域名前缀和自有域名只能填写一个',
    en: 'A mapping has either a prefix or a domain of its own',
  },
  'prefix.not-for-ports': {
    zh: 'TCP 和 UDP 映射使用端口，不需要域名前缀',
    en: 'TCP and UDP mappings have a port and no prefix',
  },
  'domain.too-long': { zh: '域名过长', en: 'The domain is too long' },
  'domain.shape': {
    zh: '请输入完整的域名，例如 nas.example.com',
    en: 'Enter a whole domain name, such as nas.example.com',
  },
  'domain.not-for-ports': {
    zh: 'TCP 和 UDP 映射使用端口，不需要域名',
    en: 'TCP and UDP mappings have a port and no domain',
  },
  'port.range': { zh: '端口必须是 1 到 65535 之间的整数', en: 'A port is a whole number from 1 to 65535' },
  'port.not-for-web': { zh: '只有 TCP 和 UDP 映射使用端口', en: 'Only TCP and UDP mappings have a port' },
  'target.shape': {
    zh: '目标地址格式应如 http://192.168.1.10:5000 或 tcp://192.168.1.10:22',
    en: 'Enter a target such as http://192.168.1.10:5000 or tcp://192.168.1.10:22',
  },
  'target.plain-address': {
    zh: 'IP 地址请写成 192.168.1.10 的样子：四个 0–255 的十进制数字，不带前导零',
    en: 'Write an IP address such as 192.168.1.10: four decimal numbers from 0 to 255, without leading zeros',
  },
  'host.shape': {
    zh: '请输入 IP 地址或主机名，如 192.168.1.10',
    en: 'Enter an IP address or a host name, such as 192.168.1.10',
  },
  'mac.shape': {
    zh: '请输入网卡的 MAC 地址，如 d8:bb:c1:0a:2f:e4',
    en: 'Enter the MAC address of a network card, such as d8:bb:c1:0a:2f:e4',
  },
  'mac.missing': { zh: '请输入 MAC 地址', en: 'Enter the MAC address' },
  'member.is-owner': {
    zh: '设备的所有者无需添加，始终可以打开',
    en: 'The owner of the device can always open it',
  },
  'kind.differs-from-target': {
    zh: '协议与目标地址的开头不一致',
    en: 'The kind differs from what the target begins with',
  },
  'passthrough.https-only': {
    zh: '只有 https 目标可以使用端到端加密',
    en: 'TLS passthrough is for https targets only',
  },
  'passthrough.domain-missing': {
    zh: '端到端加密需要使用自有域名',
    en: 'TLS passthrough needs a domain of its own',
  },
  'verify-tls.https-only': {
    zh: '只有由本服务连接的 https 目标可以校验证书',
    en: 'Only the certificate of an https target that the service itself connects to can be verified',
  },
  'proxy-protocol.not-possible': {
    zh: '只有 TCP 映射和端到端加密可以使用 PROXY 协议',
    en: 'The PROXY protocol is for TCP mappings and TLS passthrough only',
  },
  'option.web-only': {
    zh: '只有网页映射可以设置发给服务的内容和等待时间，端到端加密的除外',
    en: 'What the service is sent and how long it may take is for web mappings without TLS passthrough only',
  },
  'host-name.shape': {
    zh: 'Host 格式应如 nas.lan 或 nas.lan:8080',
    en: 'Enter a Host such as nas.lan or nas.lan:8080',
  },
  'host-name.missing': { zh: '请输入发给服务的 Host', en: 'Enter the Host that the service gets' },
  'host-name.not-custom': {
    zh: '只有 Host 选择“自定义”时才能填写',
    en: 'A Host of its own is for the choice custom only',
  },
  'tls-name.shape': { zh: '请填写域名，例如 nas.lan', en: 'Enter a domain name such as nas.lan' },
  'tls-name.https-only': {
    zh: '只有由本服务连接的 https 目标可以指定 TLS 名称',
    en: 'A TLS name is for an https target that the service itself connects to',
  },
  'answer-timeout.range': { zh: '应为 10–3600 秒', en: 'Enter 10 to 3600 seconds' },
  'silence-timeout.range': { zh: '应为 30–86400 秒', en: 'Enter 30 to 86400 seconds' },
  'policy.password-not-possible': {
    zh: '只有由本服务连接的网页映射可以使用访问密码，其他映射请按访客地址放行',
    en: 'Only web mappings without TLS passthrough can ask for a password; let visitors of others in by their address',
  },
  'access-password.missing': { zh: '请设置访问密码', en: 'Set an access password' },
  'access-password.empty': { zh: '请输入访问密码', en: 'Enter the access password' },
  'access-password.too-short': {
    zh: `访问密码至少 ${MIN_ACCESS_PASSWORD_LENGTH} 个字符`,
    en: `An access password has at least ${MIN_ACCESS_PASSWORD_LENGTH} characters`,
  },
  'access-password.too-long': {
    zh: `访问密码不能超过 ${MAX_ACCESS_PASSWORD_LENGTH} 个字符`,
    en: `An access password has at most ${MAX_ACCESS_PASSWORD_LENGTH} characters`,
  },
  'hours.clock': { zh: '时间格式应如 08:30', en: 'Enter a time such as 08:30' },
  'hours.no-day': { zh: '请至少选择一天', en: 'Choose at least one day' },
  'hours.day-twice': { zh: '同一天只能选择一次', en: 'A day can be chosen once only' },
  'hours.empty': { zh: '开始与结束时间不能相同', en: 'The beginning and the end cannot be the same' },

  'contact.missing': { zh: '请输入手机号或邮箱', en: 'Enter a phone number or an email address' },

  'alert-events.none': { zh: '请至少选择一种提醒', en: 'Choose at least one kind of alert' },
  'alert-events.twice': { zh: '有重复的选项', en: 'An option is given twice' },
  'url.login': {
    zh: '网址里不能带用户名和密码',
    en: 'The URL cannot have a user name or a password',
  },
  'alert-url.bark-key': {
    zh: '网址里没有 Key，请从 Bark 应用中复制完整的地址，例如 https://api.day.app/您的Key',
    en: 'The URL has no key: copy the whole address from the Bark app, such as https://api.day.app/your-key',
  },
  'alert-url.wecom': {
    zh: '请粘贴群机器人的 Webhook 地址，以 https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key= 开头',
    en: 'Paste the webhook URL of the group robot: it begins with https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=',
  },
  'alert-url.dingtalk': {
    zh: '请粘贴群机器人的 Webhook 地址，以 https://oapi.dingtalk.com/robot/send?access_token= 开头',
    en: 'Paste the webhook URL of the group robot: it begins with https://oapi.dingtalk.com/robot/send?access_token=',
  },
  'alert-url.feishu': {
    zh: '请粘贴群机器人的 Webhook 地址，以 https://open.feishu.cn/open-apis/bot/v2/hook/ 开头',
    en: 'Paste the webhook URL of the group robot: it begins with https://open.feishu.cn/open-apis/bot/v2/hook/',
  },
  'serverchan-key.shape': {
    zh: '请输入以 SCT 或 sctp 开头的 SendKey',
    en: 'Enter a SendKey: it begins with SCT or sctp',
  },
  'product-key.missing': { zh: '请输入兑换码', en: 'Enter the code' },
  'product-key.shape': { zh: '兑换码由 4 组、每组 5 个字符组成', en: 'A code has 4 groups of 5 characters' },
  'invitation-code.missing': { zh: '请输入邀请码', en: 'Enter the invitation code' },
  'bulk-tiers.twice': { zh: '同一数量只能设置一个折扣', en: 'Each quantity has one discount' },
  'bulk-tiers.dearer': {
    zh: '数量更多的一档，单价不能更高',
    en: 'A larger quantity cannot have a higher price for each',
  },
  'reward-device.missing': { zh: '请选择设备', en: 'Choose a device' },
  'refund-reason.missing': { zh: '请写明退款原因', en: 'Say why it is refunded' },
} as const satisfies Record<string, LocalizedText>;

export type FieldMessage = keyof typeof fieldMessages;

/** A code as the message of a schema. Its type refuses codes that are not in the catalogue. */
export function fieldMessage(code: FieldMessage): FieldMessage {
  return code;
}

/** Whether the text is a code of the catalogue. */
export function isFieldMessage(text: string): text is FieldMessage {
  return Object.hasOwn(fieldMessages, text);
}
