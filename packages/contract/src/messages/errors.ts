import type { LocalizedText } from './localized-text.ts';

/**
 * Every failure that a client may handle: its HTTP status and its text in Chinese and English. The code is part of the
 * API: renaming it breaks clients. This file imports no library, so the browser can load it.
 */
export const errorCatalogue = {
  'request.invalid': { status: 422, zh: '输入的数据不合法!', en: 'Illegal input' },
  'request.malformed': {
    status: 400,
    zh: '请求格式不正确，请刷新页面后重试',
    en: 'The request is malformed. Reload the page and try again.',
  },
  'request.too-slow': {
    status: 408,
    zh: '提交的内容传得太慢，请重试',
    en: 'What was sent came too slowly. Try again.',
  },
  'request.too-large': { status: 413, zh: '提交的内容过大', en: 'What was sent is too large.' },
  'request.unsupported-type': { status: 415, zh: '请以 JSON 格式提交', en: 'Send the data as JSON.' },
  'request.not-found': { status: 404, zh: '没有这个接口', en: 'There is no such call.' },
  'request.method-not-allowed': {
    status: 405,
    zh: '此接口不支持这种请求方法',
    en: 'This call does not support that method.',
  },
  'request.cross-site': { status: 403, zh: '已拒绝来自其他网站的请求', en: 'Requests from other sites are refused.' },
  'request.too-many': { status: 429, zh: '操作过于频繁，请稍后再试', en: 'Too many requests. Try again later.' },
  'server.internal': {
    status: 500,
    zh: '服务器出错了，请稍后重试；如仍失败，请把请求编号告诉管理员',
    en: 'The server failed. Try again later; if it fails again, give the request id to the administrator.',
  },
  'server.unavailable': {
    status: 503,
    zh: '服务暂时不可用，请稍后重试',
    en: 'The service is temporarily unavailable. Try again later.',
  },

  'server.not-found': { status: 404, zh: '没有找到该服务器', en: 'There is no such server.' },

  'session.required': { status: 401, zh: '请先登录', en: 'Log in first.' },
  'session.forbidden': { status: 403, zh: '您没有执行此操作的权限', en: 'You are not allowed to do this.' },
  'session.changed': {
    status: 409,
    zh: '已换成其他账号登录，请刷新页面',
    en: 'Another account has logged in meanwhile. Reload the page.',
  },
  'session.csrf': { status: 403, zh: '页面已过期，请刷新后重试', en: 'The page has expired. Reload it and try again.' },
  'login.failed': { status: 401, zh: '账号或密码不正确', en: 'Wrong account or password.' },
  'login.locked': {
    status: 429,
    zh: '尝试次数过多，账号已锁定 15 分钟，请稍后再试',
    en: 'Too many attempts: the account is locked for 15 minutes. Try again later.',
  },
  'login.method-unavailable': {
    status: 422,
    zh: '当前服务未开启这种登录方式',
    en: 'This service does not offer that way to log in.',
  },
  'password.wrong': { status: 403, zh: '密码不正确', en: 'Wrong password.' },
  'session.confirm-required': {
    status: 403,
    zh: '这是敏感操作，请先确认您的身份',
    en: 'This is a sensitive operation. Confirm who you are first.',
  },
  'session.not-found': { status: 404, zh: '这处登录已经退出', en: 'That session has already ended.' },
  'session.scope': { status: 403, zh: '这个 API 令牌没有此项权限', en: 'This API token is not allowed to do that.' },

  'captcha.required': { status: 403, zh: '请先完成人机验证', en: 'Solve the captcha first.' },
  'captcha.ticket-expired': {
    status: 403,
    zh: '人机验证已过期，请再试一次',
    en: 'The captcha has expired. Solve it again.',
  },
  'captcha.once-more': { status: 422, zh: '这一次已通过，请再完成一次', en: 'That was right. Solve one more.' },
  'captcha.wrong': { status: 422, zh: '验证未通过，请再试一次', en: 'That was not right. Try again.' },
  'captcha.expired': { status: 422, zh: '人机验证已过期，请再试一次', en: 'The captcha has expired. Try again.' },

  'phone.invalid': {
    status: 422,
    zh: '手机号不正确，请检查后重试',
    en: 'The phone number is not valid. Check it and try again.',
  },
  'phone.taken': { status: 409, zh: '这个手机号已绑定其他账号', en: 'This phone number belongs to another account.' },
  'phone.already-bound': {
    status: 409,
    zh: '账号已绑定手机号，如需更换请使用“更换手机号”',
    en: 'The account already has a phone number. To replace it, change the phone number.',
  },
  'phone.unknown': {
    status: 409,
    zh: '这个手机号还没有注册，请直接用手机验证码登录',
    en: 'No account has this phone number. Log in with a code sent to it.',
  },
  'phone.not-bound': { status: 409, zh: '账号还没有绑定手机号', en: 'The account has no phone number yet.' },
  'code.wrong': { status: 422, zh: '验证码不正确', en: 'Wrong code.' },
  'code.expired': {
    status: 422,
    zh: '验证码已失效，请重新获取',
    en: 'The code is no longer valid. Request another one.',
  },
  'code.too-often': {
    status: 429,
    zh: '验证码发送过于频繁，请稍后再试',
    en: 'Codes are being requested too often. Try again later.',
  },
  'code.daily-limit': {
    status: 429,
    zh: '今天发送的验证码已达上限，请明天再试',
    en: 'No more codes can be sent today. Try again tomorrow.',
  },
  'sms.used-up': {
    status: 503,
    zh: '今天的短信已全部用完，请明天再试；登录可以改用密码等其他方式',
    en: 'No more text messages can be sent today. Try again tomorrow, or log in another way, such as by password.',
  },
  'sms.unavailable': {
    status: 503,
    zh: '短信暂时无法发送，请稍后重试',
    en: 'Text messages cannot be sent at the moment. Try again later.',
  },
  'mail.unavailable': {
    status: 503,
    zh: '邮件暂时无法发送，请稍后重试',
    en: 'Email cannot be sent at the moment. Try again later.',
  },

  'second-factor.wrong': { status: 422, zh: '验证未通过，请重试', en: 'Verification failed. Try again.' },
  'second-factor.expired': { status: 422, zh: '验证已超时，请重新开始', en: 'Verification timed out. Start again.' },
  'second-factor.locked': {
    status: 429,
    zh: '24 小时内输错的次数过多，请改用通行密钥，或稍后再试',
    en: 'Too many wrong codes within 24 hours. Use a passkey, or try again later.',
  },
  'second-factor.already-on': { status: 409, zh: '动态口令已经启用', en: 'The authenticator app is already set up.' },
  'second-factor.off': { status: 409, zh: '两步登录还没有启用', en: 'Two-step login is not on.' },
  'second-factor.limit-reached': {
    status: 409,
    zh: '通行密钥数量已达上限，请先删除不用的',
    en: 'The account has as many passkeys as it may have. Delete unused ones first.',
  },
  'passkey.not-found': { status: 404, zh: '没有找到该通行密钥', en: 'There is no such passkey.' },
  'passkey.login-failed': {
    status: 401,
    zh: '不能用这个通行密钥登录，请换一个，或改用其他方式',
    en: 'This passkey cannot log in. Use another one, or another sign-in method.',
  },
  'passkey.needs-password': {
    status: 403,
    zh: '密码重设过，这个通行密钥要先确认：请用密码登录，并在第二步使用它，之后就可以直接用它登录',
    en: 'The password has been reset. Log in with it and use this passkey as the second step, then it logs in alone again.',
  },
  'trusted-browser.not-found': { status: 404, zh: '没有找到该浏览器', en: 'There is no such browser.' },
  'api-token.invalid': {
    status: 401,
    zh: 'API 令牌无效、已过期或已被撤销，请在控制台新建一个',
    en: 'The API token is unknown, expired or revoked. Create another one in the console.',
  },
  'api-token.not-found': { status: 404, zh: '没有找到该 API 令牌', en: 'There is no such API token.' },
  'api-token.limit-reached': {
    status: 409,
    zh: 'API 令牌数量已达上限，请先删除不用的',
    en: 'The account has as many API tokens as it may have. Delete unused ones first.',
  },

  'wechat.code-invalid': {
    status: 422,
    zh: '微信登录已失效，请重新扫码',
    en: 'The WeChat login is no longer valid. Scan again.',
  },
  'wechat.taken': {
    status: 409,
    zh: '这个微信号已绑定其他账号',
    en: 'This WeChat account belongs to another account.',
  },

  'user.not-found': { status: 404, zh: '没有找到该用户', en: 'There is no such user.' },
  'user.name-taken': { status: 409, zh: '该用户名已被使用', en: 'This user name is taken.' },
  'user.name-look-alike': {
    status: 409,
    zh: '该用户名与已有的用户名太像，请换一个',
    en: 'This user name looks like another one. Choose a different one.',
  },
  'user.name-reserved': {
    status: 422,
    zh: '该用户名像是管理员或通途官方，请换一个',
    en: 'This user name could be taken for the administrator or the service. Choose a different one.',
  },
  'user.email-taken': {
    status: 409,
    zh: '这个邮箱已绑定其他账号',
    en: 'This email address belongs to another account.',
  },
  'user.last-way-in': {
    status: 409,
    zh: '这是唯一的登录方式，请先设置密码或绑定手机号',
    en: 'This is the only way to log in. Set a password or bind a phone number first.',
  },
  'user.last-admin': {
    status: 409,
    zh: '这是最后一个管理员账号，不能删除',
    en: 'This is the last administrator, so it cannot be deleted.',
  },
  'user.last-superuser': {
    status: 409,
    zh: '这是最后一个超级管理员，请先设置另一个',
    en: 'This is the last superuser. Make another one first.',
  },
  'user.disabled': {
    status: 403,
    zh: '这个账号已被停用，请联系管理员',
    en: 'This account has been disabled. Contact the administrator.',
  },
  'user.superuser': {
    status: 403,
    zh: '超级管理员的账号只能由超级管理员管理',
    en: 'Only a superuser may manage the account of a superuser.',
  },
  'user.self': {
    status: 409,
    zh: '不能对自己的账号做这项操作，请到“个人资料”中修改',
    en: 'You cannot do this to your own account here. Use your account page.',
  },
  'registration.by-invitation': {
    status: 403,
    zh: '还没有账号，而这里只能通过邀请注册：请向管理员或邀请您的人要一个邀请链接',
    en: 'There is no such account yet, and accounts are by invitation only. Ask the administrator for an invitation link.',
  },
  'registration.closed': {
    status: 403,
    zh: '还没有账号，而这里已关闭注册：如需使用，请联系管理员',
    en: 'There is no such account yet, and registration is closed. Contact the administrator.',
  },
  'invitation.not-found': {
    status: 404,
    zh: '这个链接无效、已用过或已过期，请向发链接给您的人要一个新的',
    en: 'This link is unknown, used or expired. Ask the person who gave it to you for a new one.',
  },
  'invitation.own': {
    status: 409,
    zh: '这是您自己的地址，请把链接发给要邀请的人',
    en: 'This is your own address. Send the link to the person whom you invite.',
  },
  'invitation.needless': {
    status: 409,
    zh: '这个成员已经加入，不需要邀请链接',
    en: 'This member has joined already and needs no invitation link.',
  },
  'invitation.daily-limit': {
    status: 429,
    zh: '24 小时内新建的链接过多，请稍后再试',
    en: 'Too many links were made within 24 hours. Try again later.',
  },
  'alert.channel-not-found': { status: 404, zh: '没有找到该提醒方式', en: 'There is no such alert channel.' },
  'alert.limit-reached': {
    status: 409,
    zh: '提醒方式数量已达上限，请先删除不用的',
    en: 'The account has as many alert channels as it may have. Delete unused ones first.',
  },
  'alert.email-missing': {
    status: 409,
    zh: '账号还没有绑定邮箱，请先绑定邮箱',
    en: 'The account has no email address. Bind one first.',
  },
  'alert.mail-unavailable': {
    status: 409,
    zh: '当前服务没有开通邮件，请选择其他提醒方式',
    en: 'This service sends no email. Choose another alert channel.',
  },
  'alert.address-refused': {
    status: 422,
    zh: '不能向这个地址发送提醒：它不在公网上，或不允许访问',
    en: 'Alerts cannot be sent to this address: it is not on the public internet, or not allowed.',
  },
  'alert.kind-fixed': {
    status: 409,
    zh: '提醒方式的类型不能修改，请删除后重新添加',
    en: 'The kind of an alert channel cannot be changed. Delete it and add another one.',
  },

  'image.unsupported': {
    status: 400,
    zh: '图片须为 PNG、JPEG 或 WebP，且不超过 300 KB',
    en: 'The image must be PNG, JPEG or WebP of at most 300 KB.',
  },
  'site-entry.not-found': { status: 404, zh: '没有找到这一项', en: 'There is no such entry.' },
  'site-entry.changed': {
    status: 409,
    zh: '这一项刚刚被修改过，请重新打开后再改',
    en: 'This entry has just been changed. Open it again.',
  },
  'site-entry.limit-reached': { status: 409, zh: '最多 100 项，请先删除不用的', en: 'There are 100 entries already.' },
  'public-address.no-device': {
    status: 404,
    zh: '这个公网 IP 上没有您的设备',
    en: 'You have no device at this address.',
  },
  'announcement.not-found': { status: 404, zh: '没有找到该公告', en: 'There is no such announcement.' },
  'announcement.changed': { status: 409, zh: '这条公告刚刚被修改过', en: 'This announcement has just been changed.' },

  'device.not-found': { status: 404, zh: '没有找到该设备', en: 'There is no such device.' },
  'device.deleted': {
    status: 409,
    zh: '这台设备已删除，不能再修改',
    en: 'This device has been deleted and can no longer be changed.',
  },
  'device.limit-reached': {
    status: 409,
    zh: '设备数量已达上限，请先删除不用的设备',
    en: 'The account has as many devices as it may have. Delete unused ones first.',
  },
  'device.allow-list-invalid': {
    status: 422,
    zh: '请输入 IP 地址或网段，例如 203.0.113.7 或 203.0.113.0/24',
    en: 'Enter an IP address or a range, such as 203.0.113.7 or 203.0.113.0/24.',
  },
  'device.allow-list-everyone': {
    status: 422,
    zh: '这个网段太大，几乎包含所有地址；如果要让所有人访问，请把域名映射的访问权限改为公开',
    en: 'This range holds almost every address. To let everybody in, set the access of the mapping to public.',
  },
  'device.busy': {
    status: 409,
    zh: '该设备正在检测或诊断，请等它结束后再试',
    en: 'The device is being checked. Try again when that is done.',
  },

  'diagnosis.offline': {
    status: 409,
    zh: '设备不在线，无法诊断；服务器记录的连接历史仍可查看',
    en: 'The device is offline. The connections that the server has recorded are still there.',
  },
  'diagnosis.outdated': {
    status: 409,
    zh: '客户端版本过旧，请升级后再诊断',
    en: 'The agent is too old to report a diagnosis. Upgrade it.',
  },
  'diagnosis.frpc': {
    status: 409,
    zh: '这台设备运行的是 frpc，它不能诊断自己的连接；请在设备上查看 frpc 的日志',
    en: 'The device runs frpc, which cannot report a diagnosis. See the log of frpc on the device.',
  },
  'diagnosis.no-answer': {
    status: 409,
    zh: '设备没有给出诊断结果，连接可能刚刚断开，请稍后再试',
    en: 'The device sent no diagnosis. Its connection may just have ended; try again later.',
  },
  'agent.up-to-date': {
    status: 409,
    zh: '这台设备的客户端已经是最新版本',
    en: 'The agent of this device is up to date.',
  },
  'agent.offline': {
    status: 409,
    zh: '设备不在线，上线后再升级',
    en: 'The device is offline. Upgrade it when it is back.',
  },
  'agent.cannot-upgrade': {
    status: 409,
    zh: '这台设备的客户端还不能从控制台升级，请在设备上运行一次升级命令',
    en: 'The agent of this device cannot be upgraded from the console yet. Run the command on the device once.',
  },
  'agent.upgrade-failed': {
    status: 409,
    zh: '设备没有升级成功，仍在使用原来的客户端，请稍后再试，或在设备上运行升级命令',
    en: 'The device could not upgrade and goes on with its agent. Try again later, or run the command on the device.',
  },
  'agent.upgrade-refused': {
    status: 409,
    zh: '设备没有升级：新版本的签名与它记下的服务器密钥不符，请在设备上运行升级命令',
    en: 'The device refused: the agent is not signed by the key that it has pinned. Run the command on the device.',
  },
  'adoption.not-lost': {
    status: 409,
    zh: '只有离线的设备才能被另一台设备代替',
    en: 'Only a device that is offline can be replaced, and only by another one.',
  },
  'adoption.other-region': {
    status: 409,
    zh: '两台设备在不同的服务器上，地址不能转移',
    en: 'The devices are in different regions, so the addresses cannot move.',
  },

  'discovery.off': {
    status: 409,
    zh: '这台设备的局域网发现已关闭，请先打开',
    en: 'LAN discovery of this device is switched off. Switch it on first.',
  },
  'discovery.running': {
    status: 409,
    zh: '正在扫描这台设备的局域网，请等它结束后再试',
    en: 'The LAN of this device is being scanned. Try again when that is done.',
  },

  'mapping.not-found': { status: 404, zh: '没有找到该域名映射', en: 'There is no such mapping.' },
  'mapping.prefix-taken': {
    status: 409,
    zh: '这个域名前缀已被使用，请换一个',
    en: 'This prefix is taken. Choose another one.',
  },
  'mapping.prefixes-used-up': {
    status: 409,
    zh: '30 天内更换或删除的域名前缀过多，请使用之前用过的前缀，或稍后再试',
    en: 'Too many prefixes were changed or deleted within 30 days. Use one that you had before, or try again later.',
  },
  'mapping.prefix-reserved': {
    status: 422,
    zh: '这个域名前缀为系统保留，请换一个',
    en: 'This prefix is reserved. Choose another one.',
  },
  'mapping.domain-taken': { status: 409, zh: '这个域名已被其他映射使用', en: 'Another mapping uses this domain.' },
  'mapping.domains-waiting': {
    status: 409,
    zh: '等待解析的自有域名太多，请先设置好它们的解析记录，或删除不用的映射',
    en: 'Too many custom domains are waiting for their DNS records. Set those first, or delete mappings that are not used.',
  },
  'mapping.domain-unproven': {
    status: 409,
    zh: '这个域名已被其他用户使用。如果域名属于您，请在它的 DNS 中添加下面的 TXT 记录，生效后再保存',
    en: 'Another user has this domain. If it is yours, add the TXT record below to its DNS, and save again once it is visible.',
  },
  'mapping.domain-reserved': {
    status: 422,
    zh: '这个域名属于本服务，请改用域名前缀',
    en: 'This domain belongs to the service. Use a prefix.',
  },
  'mapping.port-taken': {
    status: 409,
    zh: '这个端口已被使用，请换一个或留空自动分配',
    en: 'This port is taken. Choose another one, or leave it empty to get any.',
  },
  'mapping.port-out-of-range': {
    status: 422,
    zh: '端口不在本服务允许的范围内，请换一个或留空自动分配',
    en: 'The service does not offer this port. Choose another one, or leave it empty to get any.',
  },
  'mapping.ports-exhausted': {
    status: 409,
    zh: '可用的公网端口已用完，请联系管理员',
    en: 'No public port is free. Contact the administrator.',
  },
  'mapping.kind-fixed': {
    status: 422,
    zh: '网页映射与端口映射不能互相转换，请新建映射',
    en: 'A web mapping cannot become a port mapping, nor the other way round. Create another mapping.',
  },
  'mapping.frpc-no-udp': {
    status: 422,
    zh: '这台设备用 frpc 连接，不能添加 UDP 映射。请换用安装了通途客户端的设备',
    en: 'A device that runs frpc has no UDP mappings. Use a device that runs the agent.',
  },
  'mapping.managed-by-frpc': {
    status: 409,
    zh: '这条映射由设备上的 frpc.toml 管理，地址和目标请在那里修改',
    en: 'The frpc.toml on the device manages this mapping: change its address and target there.',
  },
  'cloud-app.managed-by-frpc': {
    status: 409,
    zh: '这台设备只转发它的 frpc.toml 里的代理，不能添加云应用',
    en: 'This device serves only the proxies of its frpc.toml, and has no cloud apps.',
  },
  'mapping-file.invalid': {
    status: 422,
    zh: '文件有问题，没有做任何修改',
    en: 'The file is not valid. Nothing was changed.',
  },
  'mapping.limit-reached': {
    status: 409,
    zh: '域名映射数量已达上限',
    en: 'The account has as many mappings as it may have.',
  },
  'mapping.target-not-private': {
    status: 422,
    zh: '目标地址必须是设备所在局域网内的地址',
    en: 'The target must be an address within the LAN of the device.',
  },
  'mapping.target-credentials': {
    status: 422,
    zh: '目标地址不能是链路本地地址（169.254.x.x、fe80::）或云平台的元数据地址，请填写局域网内的其他地址',
    en: 'The target cannot be a link-local address (169.254.x.x, fe80::) or a metadata address of a cloud. Give another address in the LAN.',
  },

  'enrolment.token-invalid': {
    status: 401,
    zh: '账号令牌或接入密钥无效、已用过或已过期，请在控制台的“添加设备”中复制新的命令',
    en: 'The token or enrolment key is unknown, used or expired. In the console, open "Add device" and copy a new command.',
  },
  'enrolment-key.not-found': { status: 404, zh: '没有找到该接入密钥', en: 'There is no such enrolment key.' },
  'enrolment-key.limit-reached': {
    status: 409,
    zh: '有效的接入密钥数量已达上限，请先撤销不用的',
    en: 'The account has as many enrolment keys as it may have. Revoke unused ones first.',
  },
  'cloud-app.not-found': { status: 404, zh: '没有找到该远程应用', en: 'There is no such cloud app.' },
  'cloud-app.session-not-found': { status: 404, zh: '没有找到该会话', en: 'There is no such session.' },
  'cloud-app.limit-reached': {
    status: 409,
    zh: '数量已达上限，请先删除不用的',
    en: 'The limit is reached. Delete unused ones first.',
  },
  'cloud-app.option-not-possible': {
    status: 422,
    zh: '这一类应用没有此设置',
    en: 'Apps of this kind do not have this setting.',
  },
  'cloud-app.disabled': { status: 409, zh: '此应用或设备已停用', en: 'The app or its device is disabled.' },
  'cloud-app.second-factor-missing': {
    status: 403,
    zh: '打开此应用需要两步登录，请先为您的账号启用',
    en: 'This app needs two-step login. Turn it on for your account first.',
  },
  'cloud-app.no-sessions': {
    status: 409,
    zh: '网络唤醒不能这样打开，请在唤醒页面操作',
    en: 'Apps of this kind have no sessions.',
  },
  'cloud-app.mac-missing': {
    status: 409,
    zh: '还没有填写目标的 MAC 地址，请所有者在编辑里填写',
    en: 'The app has no MAC address. Its owner can set one.',
  },
  'cloud-app.device-offline': {
    status: 409,
    zh: '设备不在线，请检查它是否开机、能否上网，客户端是否在运行',
    en: 'The device is offline.',
  },
  'cloud-app.no-wake-proxy': {
    status: 409,
    zh: '设备上 frpc 的配置里没有名为 wake 的 udp 代理，不能唤醒主机。请在设备菜单里重新复制配置，粘贴后重启 frpc',
    en: 'The configuration of frpc on the device lacks the udp proxy named wake.',
  },
  'cloud-app.agent-outdated': {
    status: 409,
    zh: '设备上的客户端版本过旧，请先升级',
    en: 'The agent on the device must be upgraded first.',
  },
  'cloud-app.wake-failed': {
    status: 502,
    zh: '设备没能发出唤醒信号：它没有连接局域网，或者唤醒得过于频繁',
    en: 'The device could not send the packet: it is in no local network, or it has just sent many.',
  },
  'cloud-app.state-unknown': {
    status: 502,
    zh: '没能检查目标是否开机，请稍后重试',
    en: 'Whether the target is on could not be checked. Try again later.',
  },
  'cloud-app.too-many-sessions': {
    status: 429,
    zh: '打开的会话过多，请先结束一些',
    en: 'Too many sessions are open. End some of them first.',
  },
  'cloud-app.member-unknown': {
    status: 404,
    zh: '没有找到该成员',
    en: 'There is no such member.',
  },
  'cloud-app.offer-not-found': {
    status: 404,
    zh: '这个共享已经处理过，或被对方收回',
    en: 'This offer was answered before, or taken back.',
  },
  'binding.not-found': {
    status: 404,
    zh: '这个链接已失效：超过了 10 分钟，或设备已被添加',
    en: 'This link is no longer valid: it is older than 10 minutes, or the device has been added.',
  },
  'enrolment.key-in-use': {
    status: 409,
    zh: '该设备身份已属于另一个账号',
    en: 'This device identity belongs to another account.',
  },

  'verification.not-found': { status: 404, zh: '没有找到该验证记录', en: 'There is no such verification.' },
  'verification.revoked': {
    status: 409,
    zh: '这条验证已被撤销，不能延长',
    en: 'This verification has been revoked and cannot be extended.',
  },
  'verification.address-deleted': {
    status: 409,
    zh: '这条记录的地址已删除，不能延长',
    en: 'The address of this record has been deleted, so it cannot be extended.',
  },
  'verification.limit-reached': {
    status: 409,
    zh: '延长的验证和允许的网络最多共 1000 个，请先撤销不用的',
    en: 'There may be at most 1000 extended verifications and allowed networks. Revoke unused ones first.',
  },
  'share.not-found': { status: 404, zh: '没有找到该分享链接', en: 'There is no such share link.' },
  'share.limit-reached': {
    status: 409,
    zh: '分享链接数量已达上限，请先撤销不用的',
    en: 'There are as many share links as there may be. Revoke unused ones first.',
  },
  'share.daily-limit': {
    status: 429,
    zh: '24 小时内新建的分享链接过多，请稍后再试',
    en: 'Too many share links were created within 24 hours. Try again later.',
  },
  'share.not-possible': {
    status: 409,
    zh: '这种映射只能按访客地址放行，不能使用分享链接和成员',
    en: 'Such a mapping lets visitors in by their address alone: it can have no share links or members.',
  },
  'access-request.not-found': {
    status: 404,
    zh: '没有找到该访问申请，可能已经处理过了',
    en: 'There is no such access request. It may have been answered.',
  },
  'access-request.daily-limit': {
    status: 429,
    zh: '24 小时内最多申请 10 次，请稍后再试',
    en: 'An account can send 10 access requests within 24 hours. Try again later.',
  },
  'access-request.refused': {
    status: 409,
    zh: '所有者没有同意您的申请，拒绝满 7 天后可以再次申请',
    en: 'The owner has refused your request. You can ask again 7 days after the refusal.',
  },
  'member.not-found': { status: 404, zh: '没有找到该成员', en: 'There is no such member.' },
  'member.limit-reached': { status: 409, zh: '成员数量已达上限', en: 'There are as many members as there may be.' },
  'member.contact-invalid': {
    status: 422,
    zh: '请输入正确的手机号或邮箱',
    en: 'Enter a valid phone number or email address.',
  },
  'member.exists': { status: 409, zh: '该成员已经添加过了', en: 'This member has already been added.' },
  'gate.verified-ip-limit': {
    status: 429,
    zh: '24 小时内最多允许 20 个新的网络，请稍后再试',
    en: 'At most 20 networks can be allowed within 24 hours. Try again later.',
  },
  'gate.url-not-allowed': {
    status: 422,
    zh: '该网址不属于本服务，无法跳转',
    en: 'This URL does not belong to the service.',
  },
  'gate.window-over': {
    status: 409,
    zh: '放行程序的时间已过，或者已有其他程序先被放行',
    en: 'The time for marking a client is over, or another client has been let in first.',
  },
  'gate.window-needless': {
    status: 409,
    zh: '这条映射不需要验证，程序可以直接访问',
    en: 'This mapping asks for no verification: clients can open it as they are.',
  },
  'gate.password-wrong': { status: 403, zh: '访问密码不正确', en: 'Wrong access password.' },
  'gate.password-locked': {
    status: 429,
    zh: '密码错误次数过多，请 15 分钟后再试',
    en: 'Too many wrong passwords. Try again in 15 minutes.',
  },
  'gate.too-many-proofs': {
    status: 429,
    zh: '48 小时内的验证次数过多，请稍后再试；如果浏览器每次都要重新验证，请允许它保存 Cookie',
    en: 'Too many verifications within 48 hours. Try again later; if the browser is asked every time, allow it to keep cookies.',
  },
  'gate.ticket-invalid': {
    status: 403,
    zh: '验证已过期或已被使用，请重新打开原网址',
    en: 'The verification has expired or was used before. Open the original URL again.',
  },

  'billing.off': {
    status: 409,
    zh: '当前服务没有开通套餐和支付',
    en: 'Plans and payment are switched off on this service.',
  },
  'product.not-found': {
    status: 404,
    zh: '没有找到该套餐，或已下架',
    en: 'There is no such product, or it is no longer for sale.',
  },
  'bulk-product.exists': {
    status: 409,
    zh: '这个套餐已经有批量价格，请直接修改',
    en: 'This product has bulk prices already. Change those.',
  },
  'order.not-found': { status: 404, zh: '没有找到该订单', en: 'There is no such order.' },
  'order.not-open': {
    status: 409,
    zh: '这个订单已支付或已关闭，请刷新后查看',
    en: 'This order is already paid or closed.',
  },
  'order.not-paid': {
    status: 409,
    zh: '这个订单没有已到账的付款，不能退款',
    en: 'No payment of this order has arrived, so there is nothing to refund.',
  },
  'order.price-changed': {
    status: 409,
    zh: '价格刚刚有变动，请确认新价格后再下单',
    en: 'The price has just changed. Check the new one and order again.',
  },
  'order.too-many-open': {
    status: 409,
    zh: '您有 2 个未支付的订单，请先支付或取消',
    en: 'You have two unpaid orders. Pay or cancel one first.',
  },
  'order.too-large': {
    status: 409,
    zh: '一个订单最多 100 万元，请分开下单',
    en: 'One order is a million yuan at most. Order less.',
  },
  'product-key.uuid-taken': {
    status: 409,
    zh: '这次提交与之前的另一批兑换码重复，请刷新页面后重试',
    en: 'Another batch was already made with this uuid_from_client.',
  },
  'order.uuid-taken': {
    status: 409,
    zh: '这次提交与之前的另一个订单重复，请刷新页面后重试',
    en: 'Another order was already made with this uuid_from_client.',
  },
  'order.free-limit': {
    status: 409,
    zh: '免费套餐每周只能领取一次，且最多用于两台设备',
    en: 'A free plan can be taken once a week, and for two devices at most.',
  },
  'payment.terms-required': { status: 403, zh: '请先阅读并同意支付条款', en: 'Accept the terms of payment first.' },
  'payment.unavailable': {
    status: 503,
    zh: '支付暂时不可用，请稍后重试，或换一种支付方式',
    en: 'Payment is not available at the moment. Try again later or another way.',
  },
  'payment.provider-unknown': {
    status: 422,
    zh: '当前服务没有开通这种支付方式',
    en: 'This service does not offer that way to pay.',
  },
  'plan.not-found': { status: 404, zh: '没有找到该套餐，或已到期', en: 'There is no such plan, or it has ended.' },
  'plan.device-has-plan': {
    status: 409,
    zh: '这台设备已有套餐，请续费、升级，或先解绑',
    en: 'This device has a plan. Renew or upgrade that, or unbind it first.',
  },
  'plan.not-renewable': {
    status: 409,
    zh: '这个套餐不能续费，请购买新的套餐',
    en: 'This plan cannot be renewed. Buy a new one.',
  },
  'plan.not-upgradable': {
    status: 409,
    zh: '不能升级为这个套餐，请选择更高的套餐',
    en: 'This plan cannot be upgraded to that product. Choose a higher one.',
  },
  'plan.too-far-ahead': {
    status: 409,
    zh: '套餐最多只能续到两年以后',
    en: 'A plan can reach two years ahead at most.',
  },
  'plan.expired': {
    status: 409,
    zh: '设备没有有效的套餐：续费或绑定套餐后才能使用和修改，原有设置都会保留',
    en: 'The device has no valid plan. Renew or bind one to use the device and to change settings; nothing is deleted.',
  },
  'plan.mapping-limit': {
    status: 409,
    zh: '已达到套餐的映射数量上限，请升级套餐或先删除不用的映射',
    en: 'The plan allows no more mappings. Upgrade it, or delete unused ones.',
  },
  'plan.app-kind': {
    status: 409,
    zh: '当前套餐不包含这种远程应用，请升级套餐',
    en: 'The plan does not include this kind of app. Upgrade it.',
  },
  'refund.changed': {
    status: 409,
    zh: '这个订单在您打开之后已有退款，请核对后再退',
    en: 'This order has been refunded meanwhile. Check it first.',
  },
  'refund.too-large': {
    status: 409,
    zh: '退款金额超过了还可以退的金额',
    en: 'The refund is larger than what is left.',
  },
  'refund.upgrade-first': {
    status: 409,
    zh: '这个套餐之后升级过，请先全额退升级的订单，再退这个订单',
    en: 'The plan was upgraded later. Refund the upgrade in full first, then this order.',
  },
  'refund.keys-redeemed': {
    status: 409,
    zh: '这批兑换码已有人兑换，不能全额退款',
    en: 'Keys of this order have been redeemed, so it cannot be refunded in full.',
  },
  'place.not-found': { status: 404, zh: '没有找到该渠道', en: 'There is no such place.' },
  'place.has-keys': {
    status: 409,
    zh: '这个渠道已有兑换码，不能删除',
    en: 'This place has keys, so it cannot be deleted.',
  },
  'place.promoter-unknown': {
    status: 422,
    zh: '没有找到这个推广员，或该账号没有推广员权限',
    en: 'There is no such promoter.',
  },
  'product-key.unknown': {
    status: 422,
    zh: '兑换码不正确，请检查后重试',
    en: 'This code is not right. Check it and try again.',
  },
  'product-key.redeemed': { status: 409, zh: '这个兑换码已被使用', en: 'This code has been redeemed.' },
  'product-key.redeemed-before': {
    status: 409,
    zh: '您已兑换过这个兑换码，套餐已到账',
    en: 'You have redeemed this code already, and have its plan.',
  },
  'product-key.void': {
    status: 409,
    zh: '这个兑换码已作废，请联系购买的渠道',
    en: 'This code is void. Ask where you bought it.',
  },
  'product-key.expired': {
    status: 409,
    zh: '这个兑换码已过期，请联系购买的渠道',
    en: 'This code has expired. Ask where you bought it.',
  },
  'product-key.locked': {
    status: 429,
    zh: '输错次数过多，请 1 小时后再试',
    en: 'Too many wrong codes. Try again in an hour.',
  },
  'product-key.expiry-past': { status: 422, zh: '过期时间必须在将来', en: 'The expiry must be in the future.' },
  'reward.not-found': { status: 404, zh: '没有找到该奖励', en: 'There is no such reward.' },
  'reward.not-claimable': {
    status: 409,
    zh: '这个奖励现在不能领取，或已经领取',
    en: 'This reward cannot be claimed now, or has been claimed.',
  },
  'reward.no-plan': {
    status: 409,
    zh: '这台设备没有付费套餐，请换一台，或换成兑换码',
    en: 'This device has no paid plan. Choose another one, or a key.',
  },
  'reward.no-product': {
    status: 409,
    zh: '现在没有可以换成兑换码的套餐，请换成设备的天数',
    en: 'There is no product for a key at present. Take days for a device.',
  },
  'invitation-code.unknown': { status: 422, zh: '没有找到这个邀请码', en: 'There is no such invitation code.' },
  'invitation-code.own': { status: 409, zh: '不能填写自己的邀请码', en: 'You cannot enter your own code.' },
  'invitation-code.joined-later': {
    status: 409,
    zh: '对方注册得比你晚，不能作为你的邀请人',
    en: 'That account joined after yours and cannot have invited you.',
  },
  'invitation-code.bound': { status: 409, zh: '已经填写过邀请码，不能更改', en: 'You have entered a code already.' },
  'invitation-code.too-late': {
    status: 409,
    zh: '注册已超过 7 天，或已付过款，不能再填写邀请码',
    en: 'A code can be entered within 7 days of joining, and before paying.',
  },
  'device.not-frpc': {
    status: 409,
    zh: '这台设备运行的是通途客户端，没有 frpc 配置',
    en: 'This device runs the agent and has no configuration for frpc.',
  },
  'device.frpc-off': {
    status: 409,
    zh: '本服务器没有开放 frpc 的接入端口：运行多个中继进程（RELAY_PROCESSES）时需要设置 FRP_PORT',
    en: 'This server has no port for frpc: with several relay processes it needs FRP_PORT.',
  },
  'device.managed-by-frpc': {
    status: 409,
    zh: '这台设备的映射由它的 frpc.toml 管理，请在那里添加',
    en: 'The frpc.toml on this device manages its mappings: add them there.',
  },
  'adoption.managed-by-frpc': {
    status: 409,
    zh: '映射由 frpc.toml 管理的设备不需要找回：在新设备上用同一份 frpc.toml 启动 frpc，就会接上原来的设备',
    en: 'A device with its own frpc.toml needs no adoption: frpc with the same file is the same device.',
  },
  'adoption.no-udp': {
    status: 409,
    zh: '原设备有 UDP 映射，而用 frpc 连接的设备不能转发 UDP。请先删除这些映射，或选择安装了通途客户端的设备',
    en: 'The lost device has UDP mappings, which a device that runs frpc cannot serve.',
  },
  'frpc.login-unknown': {
    status: 404,
    zh: '没有这个 frpc 用户名（user），请在通途控制台的“添加设备”里重新复制',
    en: 'There is no such user of frpc. Copy it again from the console.',
  },
  'frpc.token-wrong': {
    status: 403,
    zh: 'frpc 令牌（token）不正确，可能已经换过，请在通途控制台的“添加设备”里重新复制',
    en: 'The token is wrong or was replaced. Copy it again from the console.',
  },
  'frpc.login-repeated': {
    status: 409,
    zh: '这次登录的时间不比上一次新（刚刚重连过，或者设备的时钟被调回过），frpc 会自动重试',
    en: 'The time of this login is not later than that of the last one: frpc has just reconnected, or the clock of the device was set back. frpc tries again by itself.',
  },
  'frpc.clock-ahead': {
    status: 409,
    zh: '设备的时钟不准（比服务器快 5 分钟以上），不能登录：请在设备上开启时间同步（NTP），对好时间后 frpc 会自动连上',
    en: 'The clock of this device is more than 5 minutes fast: turn on NTP; frpc connects by itself once the time is right.',
  },
  'frpc.wire-v1': {
    status: 409,
    zh: '这台设备以前用 v2 协议连接，不能退回 v1：请在 frpc 的配置里写 transport.wireProtocol = "v2"；确实要改用 v1 时，请在通途控制台更换密钥（frpc 令牌）',
    en: 'This device connected by wire protocol v2 before and may not fall back to v1: set transport.wireProtocol = "v2", or replace the secret in the console to use v1.',
  },
  'frpc.too-many-devices': {
    status: 409,
    zh: '这个账号用自己的 frpc.toml 连接的设备已有 100 台，请先在控制台删除不用的',
    en: 'This account has 100 devices with their own frpc.toml. Delete some of them in the console.',
  },
  'frpc.domain-taken': {
    status: 409,
    zh: '这台设备的另一个 https 代理已经使用这个域名，一个域名只能有一个 https 代理：请给其中一个换域名；那个代理已不在 frpc.toml 里时，请在控制台删除它的映射',
    en: 'Another https proxy of this device has this domain, and only one can: give one of them another domain, or delete the mapping in the console if its proxy is no longer in the file.',
  },
  'frpc.wildcard-needs-https': {
    status: 422,
    zh: '通配符域名不能只有 http 代理：请加一个域名相同的 https 代理（HTTPS 由设备自己的证书加密），或者把用到的域名逐个写进 customDomains。https 代理接受后，frpc 会自动重试这一个',
    en: 'A wildcard domain needs an https proxy too: add one with the same domain (HTTPS then has the certificate of the device), or write each name into customDomains. frpc tries this one again by itself.',
  },
  'frpc.wildcard-unproven': {
    status: 409,
    zh: '通配符域名需要先证明归您所有：请在域名的 DNS 中添加下面的 TXT 记录，生效后 frpc 会自动重试',
    en: 'A wildcard domain has to be proven: add the TXT record below to its DNS. frpc tries again by itself.',
  },
  'frpc.domain-missing': {
    status: 422,
    zh: 'http 和 https 代理需要 customDomains 或 subdomain',
    en: 'A proxy of the type http or https needs customDomains or a subdomain.',
  },
  'device.too-many-waiting': {
    status: 409,
    zh: '已有 20 台用 frpc 添加的设备从未上线，请先让它们上线，或删除不用的',
    en: 'Twenty devices that run frpc have never been online: connect or delete some of them first.',
  },
  'device.suspended': {
    status: 409,
    zh: '这台设备已被管理员停用，请联系管理员',
    en: 'The administrator has suspended this device.',
  },
} as const satisfies Record<string, LocalizedText & { status: number }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** Whether the text is a code of the catalogue. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}

/**
 * Why a certificate could not be issued, with a text that says what the owner or the operator can do. The code is
 * stored in the database, so renaming it needs a migration.
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

/** Whether the text is a code of the catalogue. */
export function isCertificateProblem(text: string): text is CertificateProblem {
  return Object.hasOwn(certificateProblems, text);
}

/** Messages for single fields, under the keys that `errors` of the problem details (RFC 9457) has for the client. */
export type FieldErrors = Record<string, LocalizedText[]>;

/** An expected failure. Throw only the code: the catalogue has the text for users, without facts of the single case. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The catalogue's text with the facts of this failure, such as an amount. */
  readonly detail: LocalizedText | undefined;
  constructor(
    code: ErrorCode,
    options: ErrorOptions & { fields?: FieldErrors; retryAfterSeconds?: number; detail?: LocalizedText } = {},
  ) {
    super(code, options);
    this.code = code;
    this.detail = options.detail;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** An error with the catalogue's text at a field, followed by further sentences. */
export function fieldError(
  field: string,
  code: ErrorCode,
  { more = [], ...options }: ErrorOptions & { more?: readonly LocalizedText[] } = {},
): AppError {
  return new AppError(code, { ...options, fields: { [field]: [errorCatalogue[code], ...more] } });
}
