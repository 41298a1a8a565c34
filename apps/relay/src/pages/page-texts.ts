import { errorCatalogue } from '@tongtu/contract';

export type PageKind =
  | 'https-only'
  | 'bad-request'
  | 'method-not-allowed'
  | 'request-timeout'
  | 'target-too-long'
  | 'head-too-long'
  | 'cookies-too-long'
  | 'not-supported'
  | 'version-not-supported'
  | 'verify'
  | 'password'
  | 'other-site'
  | 'ticket-invalid'
  | 'too-many-proofs'
  | 'mapping-disabled'
  | 'device-disabled'
  | 'plan-ended'
  | 'over-plan-limit'
  | 'closed-by-owner'
  | 'not-open-yet'
  | 'closed'
  | 'outside-hours'
  | 'no-mapping'
  | 'no-page'
  | 'no-service-here'
  | 'service-login'
  | 'too-many-passwords'
  | 'misdirected'
  | 'too-many-connections'
  | 'target-refused'
  | 'target-not-found'
  | 'target-not-allowed'
  | 'target-tls-failed'
  | 'target-certificate'
  | 'target-bad-answer'
  | 'target-no-http2'
  | 'target-lost'
  | 'target-timeout'
  | 'loop'
  | 'agent-outdated'
  | 'mapping-changed'
  | 'device-offline'
  | 'device-busy'
  | 'starting'
  | 'console-unavailable'
  | 'verification-unavailable';

export type PageText = {
  status: number;
  title: string;
  text: string;
  advice: string;
  /** Replaces the advice in answers to programs. */
  forPrograms?: string;
  retryAfterSeconds?: number;
};

/** The text of each page. It never contains a name, owner or LAN address, because the client may be anonymous. */
export const pageTexts: Record<PageKind, PageText> = {
  'https-only': {
    status: 400,
    title: '请用 https 打开',
    text: '这个端口只接受加密连接，现在打开的是 http:// 开头的网址。',
    advice: '浏览器会自动换成 https:// 重新打开；没有反应时，请把网址开头改成 https://。',
  },
  'bad-request': {
    status: 400,
    title: '请求格式不正确',
    text: '浏览器或程序发来的请求不符合 HTTP 规范，已被拒绝。',
    advice: '请检查网址后重试。',
  },
  'method-not-allowed': {
    status: 405,
    title: '不允许的请求方法',
    text: '这种请求方法在这里不可用。',
    advice: '请换一种方式访问。',
  },
  'request-timeout': {
    status: 408,
    title: '请求超时',
    text: '请求没有在规定时间内发送完毕。',
    advice: '请检查网络后重试。',
  },
  'target-too-long': {
    status: 414,
    title: '网址过长',
    text: '请求的网址过长，已被拒绝。',
    advice: '请缩短网址后重试。',
  },
  'head-too-long': {
    status: 431,
    title: '请求头过长',
    text: '请求的网址或 Cookie 过长，已被拒绝。',
    advice: '请清除该网站的 Cookie 后重试。',
  },
  'cookies-too-long': {
    status: 431,
    title: 'Cookie 过多',
    text: '浏览器为该网站保存的 Cookie 过多，请求已被拒绝。这些 Cookie 可能是同一域名下的其他网页留下的。',
    advice:
      '浏览器刚刚被要求删除它们，请重新打开；如果几次之后仍然看到本页，请在浏览器的设置中清除该网站的 Cookie。之后可能需要重新登录。',
  },
  'not-supported': {
    status: 501,
    title: '不支持的请求',
    text: '这种请求方法或编码方式不受支持。',
    advice: '请换一种方式访问。',
  },
  'version-not-supported': {
    status: 505,
    title: '不支持的 HTTP 版本',
    text: '请求使用了不受支持的 HTTP 版本。',
    advice: '请换用较新的浏览器或程序访问。',
  },
  verify: {
    status: 403,
    title: '请先通过身份验证',
    text: '该地址的所有者要求访客先通过身份验证。',
    advice: '即将自动前往验证，您也可以点击下面的按钮。',
    forPrograms: '如果打开它的是程序而不是浏览器，请地址的所有者在控制台使用“放行程序”让它通过。',
  },
  password: {
    status: 403,
    title: '请输入访问密码',
    text: '该地址的所有者为它设置了访问密码。',
    advice: '即将自动前往输入密码的页面，您也可以点击下面的按钮。',
    forPrograms: '如果打开它的是程序而不是浏览器，请地址的所有者在控制台使用“放行程序”让它通过。',
  },
  'other-site': {
    status: 403,
    title: '不能在其他网站的页面里打开',
    text: '该地址的所有者要求访客先通过身份验证，因此其他网站的页面不能嵌入它，也不能替您访问它。',
    advice: '请点击下面的按钮，在单独的窗口里打开；如果您就在该地址自己的页面上操作，请改用 https 访问。',
    forPrograms: '同一位所有者的映射之间可以互相访问。',
  },
  'ticket-invalid': {
    status: 403,
    title: '验证未通过',
    text: `${errorCatalogue['gate.ticket-invalid'].zh}。`,
    advice: '验证链接只能使用一次，且只在 60 秒内有效。',
  },
  'too-many-proofs': {
    status: 429,
    title: '验证次数过多',
    text: `${errorCatalogue['gate.too-many-proofs'].zh}。`,
    advice: '已经通过验证的浏览器不受影响。',
  },
  'mapping-disabled': {
    status: 403,
    title: '该地址已停用',
    text: '这条域名映射已被所有者停用。',
    advice: '如果您是设备的所有者，请在控制台重新启用。',
  },
  'device-disabled': {
    status: 403,
    title: '设备已停用',
    text: '该地址所在的设备已被停用。',
    advice: '如果您是设备的所有者，请在控制台重新启用该设备。',
  },
  'plan-ended': {
    status: 403,
    title: '设备没有有效的套餐',
    text: '设备的套餐已到期，或还没有绑定套餐，该地址暂停访问。',
    advice: '设置都还在。如果您是设备的所有者，请在控制台续费或绑定套餐，随后立即恢复。',
  },
  'over-plan-limit': {
    status: 403,
    title: '该地址已暂停',
    text: '设备的域名映射多于套餐允许的数量，较新的映射已暂停。',
    advice: '如果您是设备的所有者，请在控制台升级套餐，或停用不用的映射。',
  },
  'closed-by-owner': {
    status: 403,
    title: '该地址已禁止访问',
    text: '该地址的所有者把它设为禁止访问。',
    advice: '如需访问，请联系地址的所有者；如果您是设备的所有者，可以在控制台修改“谁可以访问”。',
  },
  'not-open-yet': {
    status: 403,
    title: '尚未到开放时间',
    text: '该地址的所有者设定了开放时间，现在还没有到。',
    advice: '请到时再来；如果您是设备的所有者，可以在控制台修改开放时间。',
  },
  closed: {
    status: 403,
    title: '已过开放时间',
    text: '该地址的所有者设定的开放时间已经结束。',
    advice: '如需继续访问，请联系地址的所有者；如果您是设备的所有者，可以在控制台修改开放时间。',
  },
  'outside-hours': {
    status: 403,
    title: '现在不在开放时段',
    text: '该地址只在所有者设定的时段内开放。',
    advice: '请在开放时段内再来；如果您是设备的所有者，可以在控制台修改开放时段。',
  },
  'no-mapping': {
    status: 404,
    title: '没有这个地址',
    text: '该域名没有对应的映射，可能输入有误，或者已被删除。',
    advice: '请核对网址；如果您是设备的所有者，请到控制台查看域名映射。',
  },
  'no-page': { status: 404, title: '页面不存在', text: '没有找到您要打开的页面。', advice: '请核对网址。' },
  'no-service-here': {
    status: 404,
    title: '这个路径没有服务',
    text: '该域名只转发一部分路径，您打开的路径不在其中。',
    advice: '请核对网址；如果您是设备的所有者，请查看设备上 frpc.toml 里这个域名的 locations。',
  },
  'service-login': {
    status: 401,
    title: '需要用户名和密码',
    text: '该地址要求输入用户名和密码，没有提供，或者不正确。',
    advice: '请重新打开并输入；用户名和密码由设备的所有者在 frpc.toml 里设定，不是通途的账号。',
    forPrograms: '请用 HTTP Basic 认证提供用户名和密码。',
  },
  'too-many-passwords': {
    status: 429,
    title: '错误的密码过多',
    text: '来自您的网络的错误用户名或密码过多。',
    advice: '请一分钟后再试。',
    retryAfterSeconds: 60,
  },
  misdirected: {
    status: 421,
    title: '请求送错了地方',
    text: '这个连接不是为该域名建立的。',
    advice: '请刷新页面重新连接。',
  },
  'too-many-connections': {
    status: 429,
    title: '连接过多',
    text: '来自您的网络的连接数已达上限。',
    advice: '请关闭一些页面；稍后会自动重试。',
    retryAfterSeconds: 10,
  },
  'target-refused': {
    status: 502,
    title: '目标服务拒绝连接',
    text: '设备在线，但局域网内的目标服务拒绝了连接。',
    advice: '请确认该服务已启动，并且映射里填写的端口正确。',
  },
  'target-not-found': {
    status: 502,
    title: '找不到目标主机',
    text: '设备在线，但在它的局域网里找不到目标主机。',
    advice: '请确认目标主机已开机，并且映射里填写的主机名或 IP 正确。',
  },
  'target-not-allowed': {
    status: 502,
    title: '目标地址不被允许',
    text: '设备上的客户端拒绝访问该目标：它只连接局域网内已映射的地址。',
    advice: '请检查映射里填写的目标地址。',
  },
  'target-tls-failed': {
    status: 502,
    title: '与目标服务的加密连接失败',
    text: '设备在线，但与目标服务的 HTTPS 握手失败。',
    advice: '如果目标服务只提供 HTTP，请把映射的目标改为 http:// 开头。',
  },
  'target-certificate': {
    status: 502,
    title: '目标服务的证书无效',
    text: '设备在线，但目标服务的 HTTPS 证书无效：可能是自签名、已过期，或与目标地址不符。',
    advice: '如果您是设备的所有者，请在服务上安装有效的证书，或在映射的设置中关闭“校验内网证书”。',
  },
  'target-bad-answer': {
    status: 502,
    title: '目标服务的应答无法识别',
    text: '目标服务返回的内容不是正确的 HTTP 应答。',
    advice: '请确认映射指向的是网页服务；如果它只提供 HTTPS，请把目标改为 https:// 开头。',
  },
  'target-no-http2': {
    status: 502,
    title: '目标服务不支持 HTTP/2',
    text: 'gRPC 请求要求目标服务使用 HTTP/2，但它没有用 HTTP/2 应答。',
    advice: '请确认映射指向的是 gRPC 服务；如果它使用 TLS，请把目标改为 https:// 开头，否则改为 http:// 开头。',
  },
  'target-lost': {
    status: 502,
    title: '与目标服务的连接中断',
    text: '目标服务没有应答就断开了连接。',
    advice: '请稍后刷新页面；如仍失败，请检查目标服务是否运行正常。',
  },
  'target-timeout': {
    status: 504,
    title: '目标服务没有应答',
    text: '设备在线，但目标服务没有在规定时间内应答。',
    advice: '请确认目标主机已开机、防火墙允许访问，然后重试。',
  },
  'agent-outdated': {
    status: 502,
    title: '设备上的客户端版本过旧',
    text: '设备在线，但它的客户端版本过旧，还不支持这条映射所用的功能。',
    advice: '如果您是设备的所有者，请升级设备上的客户端。',
  },
  'mapping-changed': {
    status: 503,
    title: '映射刚刚更改',
    text: '这条映射刚刚被所有者修改，您的请求没有完成。',
    advice: '稍后会自动重试。',
    retryAfterSeconds: 2,
  },
  loop: {
    status: 508,
    title: '映射指回了自身',
    text: '这条映射的目标又指向了通途服务器自己，请求绕了一圈回到原处，已被终止。',
    advice: '如果您是设备的所有者，请在控制台把映射的目标改为局域网内真正的服务地址。',
  },
  'device-offline': {
    status: 503,
    title: '设备不在线',
    text: '该地址所在的设备现在没有连接到服务器。',
    advice: '请检查设备的电源和网络，以及设备上的客户端是否在运行。设备恢复后，本页会自动打开。',
    retryAfterSeconds: 15,
  },
  'device-busy': {
    status: 503,
    title: '设备繁忙',
    text: '该设备上同时进行的访问过多。',
    advice: '稍后会自动重试。',
    retryAfterSeconds: 5,
  },
  starting: {
    status: 503,
    title: '服务正在启动',
    text: '服务器刚刚启动，还没有准备好。',
    advice: '几秒后会自动重试。',
    retryAfterSeconds: 2,
  },
  'console-unavailable': {
    status: 503,
    title: '控制台暂时不可用',
    text: '控制台正在启动或维护中。',
    advice: '几秒后会自动重试。',
    retryAfterSeconds: 5,
  },
  'verification-unavailable': {
    status: 503,
    title: '暂时无法验证',
    text: `${errorCatalogue['server.unavailable'].zh}。`,
    advice: '几秒后会自动重试，验证链接在 60 秒内有效。',
    retryAfterSeconds: 5,
  },
};
