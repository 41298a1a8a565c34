/**
 * Every failure a client may act on: its HTTP status and the sentence a person reads.
 * The code is API: rename it like you would rename a URL. This file loads no library, so the browser can import it.
 */
export const errorCatalogue = {
  'request.invalid': { status: 422, detail: '输入的数据不合法!' },
  'request.malformed': { status: 400, detail: '请求格式不正确，请刷新页面后重试' },
  'request.too-large': { status: 413, detail: '提交的内容过大' },
  'request.unsupported-type': { status: 415, detail: '请以 JSON 格式提交' },
  'request.not-found': { status: 404, detail: '没有这个接口' },
  'request.method-not-allowed': { status: 405, detail: '此接口不支持这种请求方法' },
  'request.cross-site': { status: 403, detail: '已拒绝来自其他网站的请求' },
  'request.too-many': { status: 429, detail: '操作过于频繁，请稍后再试' },
  'server.internal': { status: 500, detail: '服务器出错了，请稍后重试；如仍失败，请把请求编号告诉管理员' },
  'server.unavailable': { status: 503, detail: '服务暂时不可用，请稍后重试' },

  'session.required': { status: 401, detail: '请先登录' },
  'session.forbidden': { status: 403, detail: '您没有执行此操作的权限' },
  'session.changed': { status: 409, detail: '已换成其他账号登录，请刷新页面' },
  'session.csrf': { status: 403, detail: '页面已过期，请刷新后重试' },
  'login.failed': { status: 401, detail: '账号或密码不正确' },
  'login.locked': { status: 429, detail: '尝试次数过多，账号已锁定 15 分钟，请稍后再试' },
  'login.method-unavailable': { status: 422, detail: '当前服务未开启这种登录方式' },
  'password.wrong': { status: 403, detail: '密码不正确' },
  'session.confirm-required': { status: 403, detail: '这是敏感操作，请先确认您的身份' },
  'session.not-found': { status: 404, detail: '这处登录已经退出' },
  'session.scope': { status: 403, detail: '这个 API 令牌没有此项权限' },

  'captcha.required': { status: 403, detail: '请先完成人机验证' },
  'captcha.ticket-expired': { status: 403, detail: '人机验证已过期，请再试一次' },
  'captcha.once-more': { status: 422, detail: '这一次已通过，请再完成一次' },
  'captcha.wrong': { status: 422, detail: '验证未通过，请再试一次' },
  'captcha.expired': { status: 422, detail: '人机验证已过期，请再试一次' },

  'phone.invalid': { status: 422, detail: '手机号不正确，请检查后重试' },
  'phone.taken': { status: 409, detail: '这个手机号已绑定其他账号' },
  'phone.already-bound': { status: 409, detail: '账号已绑定手机号，如需更换请使用“更换手机号”' },
  'phone.unknown': { status: 409, detail: '这个手机号还没有注册，请直接用手机验证码登录' },
  'phone.not-bound': { status: 409, detail: '账号还没有绑定手机号' },
  'code.wrong': { status: 422, detail: '验证码不正确' },
  'code.expired': { status: 422, detail: '验证码已失效，请重新获取' },
  'code.too-often': { status: 429, detail: '验证码发送过于频繁，请稍后再试' },
  'code.daily-limit': { status: 429, detail: '今天发送的验证码已达上限，请明天再试' },
  'sms.used-up': { status: 503, detail: '今天的短信已全部用完，请明天再试；登录可以改用密码等其他方式' },
  'sms.unavailable': { status: 503, detail: '短信暂时无法发送，请稍后重试' },
  'mail.unavailable': { status: 503, detail: '邮件暂时无法发送，请稍后重试' },

  'second-factor.wrong': { status: 422, detail: '验证未通过，请重试' },
  'second-factor.expired': { status: 422, detail: '验证已超时，请重新开始' },
  'second-factor.locked': { status: 429, detail: '24 小时内输错的次数过多，请改用通行密钥，或稍后再试' },
  'second-factor.already-on': { status: 409, detail: '动态口令已经启用' },
  'second-factor.off': { status: 409, detail: '两步登录还没有启用' },
  'second-factor.limit-reached': { status: 409, detail: '通行密钥数量已达上限，请先删除不用的' },
  'passkey.not-found': { status: 404, detail: '没有找到该通行密钥' },
  'api-token.invalid': { status: 401, detail: 'API 令牌无效、已过期或已被撤销，请在控制台新建一个' },
  'api-token.not-found': { status: 404, detail: '没有找到该 API 令牌' },
  'api-token.limit-reached': { status: 409, detail: 'API 令牌数量已达上限，请先删除不用的' },

  'wechat.code-invalid': { status: 422, detail: '微信登录已失效，请重新扫码' },
  'wechat.taken': { status: 409, detail: '这个微信号已绑定其他账号' },

  'user.not-found': { status: 404, detail: '没有找到该用户' },
  'user.name-taken': { status: 409, detail: '该用户名已被使用' },
  'user.email-taken': { status: 409, detail: '这个邮箱已绑定其他账号' },
  'user.last-way-in': { status: 409, detail: '这是唯一的登录方式，请先设置密码或绑定手机号' },
  'user.last-admin': { status: 409, detail: '这是最后一个管理员账号，不能删除' },
  'alert.channel-not-found': { status: 404, detail: '没有找到该提醒方式' },
  'alert.limit-reached': { status: 409, detail: '提醒方式数量已达上限，请先删除不用的' },
  'alert.email-missing': { status: 409, detail: '账号还没有绑定邮箱，请先绑定邮箱' },
  'alert.mail-unavailable': { status: 409, detail: '当前服务没有开通邮件，请选择其他提醒方式' },
  'alert.address-refused': { status: 422, detail: '这个地址不在公网上，无法发送提醒' },
  'alert.kind-fixed': { status: 409, detail: '提醒方式的类型不能修改，请删除后重新添加' },

  'announcement.not-found': { status: 404, detail: '没有找到该公告' },
  'announcement.changed': { status: 409, detail: '这条公告刚刚被修改过' },

  'device.not-found': { status: 404, detail: '没有找到该设备' },
  'device.deleted': { status: 409, detail: '这台设备已删除，不能再修改' },
  'device.limit-reached': { status: 409, detail: '设备数量已达上限，请先删除不用的设备' },
  'device.allow-list-invalid': { status: 422, detail: '请输入 IP 地址或网段，例如 203.0.113.7 或 203.0.113.0/24' },
  'device.allow-list-everyone': {
    status: 422,
    detail: '这个网段太大，几乎包含所有地址；如果要让所有人访问，请把域名映射的访问权限改为公开',
  },
  'device.busy': { status: 409, detail: '该设备正在诊断，请等它结束后再试' },

  'mapping.not-found': { status: 404, detail: '没有找到该域名映射' },
  'mapping.prefix-taken': { status: 409, detail: '这个域名前缀已被使用，请换一个' },
  'mapping.prefixes-used-up': {
    status: 409,
    detail: '30 天内更换或删除的域名前缀过多，请使用之前用过的前缀，或稍后再试',
  },
  'mapping.prefix-reserved': { status: 422, detail: '这个域名前缀为系统保留，请换一个' },
  'mapping.domain-taken': { status: 409, detail: '这个域名已被其他映射使用' },
  'mapping.domain-unproven': {
    status: 409,
    detail: '这个域名已被其他用户使用。如果域名属于您，请在它的 DNS 中添加下面的 TXT 记录，生效后再保存',
  },
  'mapping.domain-reserved': { status: 422, detail: '这个域名属于本服务，请改用域名前缀' },
  'mapping.port-taken': { status: 409, detail: '这个端口已被使用，请换一个或留空自动分配' },
  'mapping.port-out-of-range': { status: 422, detail: '端口不在本服务允许的范围内，请换一个或留空自动分配' },
  'mapping.ports-exhausted': { status: 409, detail: '可用的公网端口已用完，请联系管理员' },
  'mapping.kind-fixed': { status: 422, detail: '网页映射与端口映射不能互相转换，请新建映射' },
  'mapping.limit-reached': { status: 409, detail: '域名映射数量已达上限' },
  'mapping.target-not-private': { status: 422, detail: '目标地址必须是设备所在局域网内的地址' },

  'enrolment.token-invalid': { status: 401, detail: '令牌无效或已停用，请在控制台复制新的令牌' },
  'enrolment.key-in-use': { status: 409, detail: '该设备身份已属于另一个账号' },

  'verification.not-found': { status: 404, detail: '没有找到该验证记录' },
  'verification.revoked': { status: 409, detail: '这条验证已被撤销，不能延长' },
  'verification.address-deleted': { status: 409, detail: '这条记录的地址已删除，不能延长' },
  'verification.limit-reached': {
    status: 409,
    detail: '延长的验证和允许的网络最多共 1000 个，请先撤销不用的',
  },
  'share.not-found': { status: 404, detail: '没有找到该分享链接' },
  'share.limit-reached': { status: 409, detail: '分享链接数量已达上限，请先撤销不用的' },
  'share.daily-limit': { status: 429, detail: '24 小时内新建的分享链接过多，请稍后再试' },
  'share.not-possible': { status: 409, detail: '这种映射只能按访客地址放行，不能使用分享链接和成员' },
  'member.not-found': { status: 404, detail: '没有找到该成员' },
  'member.limit-reached': { status: 409, detail: '成员数量已达上限' },
  'member.contact-invalid': { status: 422, detail: '请输入正确的手机号或邮箱' },
  'member.exists': { status: 409, detail: '该成员已经添加过了' },
  'gate.verified-ip-limit': { status: 429, detail: '24 小时内最多允许 20 个新的网络，请稍后再试' },
  'gate.url-not-allowed': { status: 422, detail: '该网址不属于本服务，无法跳转' },
  'gate.window-over': { status: 409, detail: '标记客户端的时间已过，或者已有其他客户端先被放行' },
  'gate.window-needless': { status: 409, detail: '这条映射不需要验证，客户端可以直接访问' },
  'gate.password-wrong': { status: 403, detail: '访问密码不正确' },
  'gate.password-locked': { status: 429, detail: '密码错误次数过多，请 15 分钟后再试' },
  'gate.too-many-proofs': {
    status: 429,
    detail: '48 小时内的验证次数过多，请稍后再试；如果浏览器每次都要重新验证，请允许它保存 Cookie',
  },
  'gate.ticket-invalid': { status: 403, detail: '验证已过期或已被使用，请重新打开原网址' },
} as const satisfies Record<string, { status: number; detail: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** True when the text names an error of the catalogue. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}

/**
 * Why a certificate could not be had: what its owner, or the operator, reads and can do. The code is kept in the
 * database: rename it like you would rename a column.
 */
export const certificateProblems = {
  'name-unresolved': '域名没有解析到任何地址，请先添加解析记录；生效后会自动申请证书',
  'connection-failed': '证书颁发机构连不上这个域名，请检查解析记录，并确认公网的 80 端口能访问到本服务',
  'answer-wrong': '证书颁发机构访问这个域名时没有得到本服务的回答，请检查域名是否解析到本服务',
  'dns-lookup-failed': '证书颁发机构查询这个域名的解析时出错，请检查域名的解析设置',
  'caa-forbids': '域名的 CAA 记录不允许这家证书颁发机构签发，请修改或删除 CAA 记录',
  'rate-limited': '申请过于频繁，已达到证书颁发机构的限额，稍后会自动重试',
  'name-refused': '证书颁发机构不为这个域名签发证书，请换一个域名',
  'account-refused': '证书颁发机构不接受本服务的账户，请管理员检查 ACME_EMAIL 等设置',
  'authority-refused': '证书颁发机构拒绝了申请，稍后会自动重试',
  'authority-unreachable': '暂时连不上证书颁发机构，稍后会自动重试',
  'authority-slow': '证书颁发机构迟迟没有给出结果，稍后会自动重试',
  'dns-provider-refused': '域名服务商拒绝了添加解析记录，请管理员检查密钥和权限',
  'dns-provider-unreachable': '暂时连不上域名服务商，稍后会自动重试',
  'dns-zone-missing': '域名服务商的账号里没有这个域名，请管理员检查 ACME_DNS 的设置',
  'dns-not-propagated': '验证用的解析记录迟迟没有生效，稍后会自动重试',
  internal: '申请证书时出错，请管理员查看日志；稍后会自动重试',
} as const satisfies Record<string, string>;

export type CertificateProblem = keyof typeof certificateProblems;

/** True when the text names a problem of the catalogue. */
export function isCertificateProblem(text: string): text is CertificateProblem {
  return Object.hasOwn(certificateProblems, text);
}

/** Messages of single fields, keyed like `problem.errors` of RFC 9457 replies. */
export type FieldErrors = Record<string, string[]>;

/** An expected failure. Its text for people stands in the catalogue; throw the code only. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  readonly retryAfterSeconds: number | undefined;
  constructor(code: ErrorCode, options: ErrorOptions & { fields?: FieldErrors; retryAfterSeconds?: number } = {}) {
    super(code, options);
    this.code = code;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The catalogue's sentence at the field that it is about, and after it what more is to be said there. */
export function fieldError(
  field: string,
  code: ErrorCode,
  { more = [], ...options }: ErrorOptions & { more?: readonly string[] } = {},
): AppError {
  return new AppError(code, { ...options, fields: { [field]: [errorCatalogue[code].detail, ...more] } });
}
