import type { ConnectionStep, MappingPatch } from '@tongtu/contract';
import type { Examination } from './examine-visits.ts';
import { greetingName } from './greeting-name.ts';
import { type Away, rankOf, type VisitEnd, type Visited, type Worse } from './visit-end.ts';

const failures: Record<string, string> = {
  'target-refused': '服务拒绝了连接',
  'target-not-found': '设备找不到目标的名称',
  'target-not-allowed': '设备没有访问这个目标',
  'target-tls-failed': 'TLS 握手失败',
  'target-certificate': '服务的证书无效',
  'target-timeout': '服务没有及时返回内容',
  'target-lost': '服务断开了连接，没有返回内容',
  'target-bad-answer': '服务返回的不是网页内容',
  'agent-outdated': '设备上的客户端版本过旧',
};

const aways: Record<Away, (to: string) => string> = {
  circle: (to) => `一直跳转到 ${to}，走不出来`,
  lan: (to) => `跳转到 ${to}，这个地址只能在局域网里打开`,
  http: (to) => `跳转到 ${to}，离开了 HTTPS`,
  port: (to) => `跳转到 ${to}，这个端口在外面打不开`,
  site: (to) => `跳转到 ${to}`,
};

/** What somebody gets, in words. Somebody in the LAN can go where a visitor cannot. */
export function endText(end: VisitEnd, { isDirect = false } = {}): string {
  switch (end.type) {
    case 'failed':
      return failures[end.failure] ?? `没有得到服务的回应（${end.failure}）`;
    case 'away':
      return aways[isDirect && end.why !== 'circle' ? 'site' : end.why](shortUrl(end.to));
    case 'page': {
      const { status, title, authenticate } = end.answer;
      const realm = /realm="?([^",]{1,80})/i.exec(authenticate ?? '')?.[1];
      const login =
        status === 401 && authenticate !== null ? `，要求登录${realm === undefined ? '' : `（${realm}）`}` : '';
      return `HTTP ${status}${login}${title === null ? '' : `，“${title}”`}`;
    }
  }
}

function shortUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname.length > 60 ? `${pathname.slice(0, 60)}…` : pathname}`;
}

export const cutWarning =
  '服务在网页传完之前断开了连接，或者发送的内容比它声明的长度（Content-Length）少：网页可能显示不完整，请检查该服务';

/** `stated`: because the mapping says to the service that its pages are opened by https. */
export const secureCookieWarnings = {
  own: '服务设置了只能用于 HTTPS 的 Cookie（Secure），而这条映射的地址是 http，浏览器不会保存它，访客可能无法登录：请管理员为本站启用 HTTPS',
  stated:
    '服务设置了只能用于 HTTPS 的 Cookie（Secure），而这条映射的地址是 http，浏览器不会保存它，访客可能无法登录：请把高级选项里“告诉服务的协议”从 https 改为“自动”，或请管理员为本站启用 HTTPS',
};

/** Answers that the relay gives in place of a service, as its frpc.toml says. */
const byFrpcToml: Record<string, string> = {
  'service-login': '访客可以打开，要先输入 frpc.toml 里的用户名和密码（httpUser）',
  'no-service-here': '线路正常，但 frpc.toml 里没有负责首页（/）的代理：网页在它的 locations 所列的路径下',
  'too-many-passwords': '访客可以打开，但您的网络刚才输错密码太多次，请过几分钟再试',
};

/** Of a mapping: its target, its public name, and the origin that a visitor's browser shows. */
type Place = { target: string; domain: string; page: string };

export type VisitVerdict = { ok: boolean; step: ConnectionStep; hint: string };

/** What an examination says: whether visitors can use the mapping, and why not. */
export function visitVerdict(found: Examination, place: Place): VisitVerdict {
  const { visitor, direct, worse } = found;
  const { end } = visitor;
  if (end.type === 'away' && end.why !== 'site' && found.fix === undefined) return awayVerdict(end, direct, place);
  if (end.type === 'page' && end.stray !== undefined && found.fix === undefined)
    return { ok: false, step: 'visit', hint: strayText(end.stray) };
  if (worse !== undefined) {
    return { ok: false, step: 'visit', hint: differenceText(found, place) };
  }
  const byFile = end.type === 'failed' ? byFrpcToml[end.failure] : undefined;
  if (byFile !== undefined) return { ok: true, step: 'visit', hint: byFile };
  if (end.type === 'failed' && end.takesSockets !== true) return failedVerdict(found, place, endText(end));
  return { ok: true, step: 'visit', hint: servedText(visitor, direct !== undefined) };
}

function servedText({ end, result }: Visited, isCompared: boolean): string {
  const text = endText(end);
  const alike = isCompared ? '，设备直接访问也是如此' : '';
  const remedy = isCompared ? `。${namedRemedy(false)}` : ''; // otherwise its frpc.toml sets the Host
  if (end.type === 'failed') return '访客可以使用：服务不提供网页，它接受 WebSocket 连接';
  if (end.type !== 'page') return `访客可以打开：${text}`;
  if (end.answer.status < 400 && end.answer.isBlank)
    return `服务有回应，但首页是空白的（${text}）${alike}：它可能只供程序使用${remedy}`;
  if (result.socket === 101 && end.answer.status >= 400)
    return `访客可以使用：服务的首页返回 HTTP ${end.answer.status}，它接受 WebSocket 连接`;
  switch (rankOf(end)) {
    case 5:
      return `访客可以打开：${text}`;
    case 4:
      return `访客可以打开，服务自己要求登录：${text}`;
    case 3:
      return `服务有回应：首页返回${afterHttp(text)}${alike}，网页可能在其他路径下，或者它只供程序使用`;
    case 2:
      return `线路正常，但服务拒绝了访问：${text}${alike}，请检查服务自己的访问限制${remedy}`;
    default:
      return `线路正常，但服务本身出错：${text}${alike}，请检查该服务`;
  }
}

function afterHttp(text: string): string {
  return text.startsWith('HTTP') ? ` ${text}` : text;
}

function failedVerdict({ greeting, visitor, direct }: Examination, { target }: Place, text: string): VisitVerdict {
  const name = greeting === undefined ? undefined : greetingName(greeting);
  const isTls = visitor.end.type === 'failed' && visitor.end.failure.startsWith('target-tls');
  const hint =
    name === undefined
      ? `访客得不到内容：${text}。已试过 http 和 https，${target} 都没有正常应答，请确认该端口提供的是网页服务${direct === undefined ? '' : `。${namedRemedy(isTls)}`}`
      : `${target} 不是网页服务，而是 ${name}：请新建一条 TCP 端口映射`;
  return { ok: false, step: isTls ? 'tls' : 'http', hint };
}

/** For a proxy at home that answers names which it does not know by nothing, or by an error. */
function namedRemedy(isTls: boolean): string {
  const field = isTls ? '“Host 处理”和“TLS 名称”' : '“Host 处理”';
  return `如果它是按域名区分网站的反向代理，请在映射的高级选项里把${field}改为它认识的域名`;
}

type AwayEnd = Extract<VisitEnd, { type: 'away' }>;

function awayVerdict(end: AwayEnd, direct: Visited | undefined, place: Place): VisitVerdict {
  return { ok: false, step: 'visit', hint: `访客会${endText(end)}${awayRemedy(end, direct?.end, place)}` };
}

function awayRemedy({ why }: AwayEnd, direct: VisitEnd | undefined, { target, domain }: Place): string {
  if (direct?.type === 'away' && direct.why === 'circle') return '，设备直接访问也是如此，请检查服务自己的跳转设置';
  const to = direct?.type === 'away' ? direct.to : undefined;
  // Its own address is right already, but it does not see that the visitor is there.
  if (why === 'circle' && to?.hostname === domain)
    return '。服务要求访客用它设置的外部地址，却认不出访客已经在用：请让它信任转发信息里的 X-Forwarded-Proto，并核对外部地址的协议和端口';
  if (to?.protocol !== 'https:') return '。请在服务的设置里关闭这个跳转，或把它的外部地址改为这条映射的地址';
  // https was tried at the port of the target.
  const isTried = to.host === new URL(target).host;
  return `。请把映射的目标改为${isTried ? '服务的 HTTPS 端口' : ` ${to.origin}`}，或在服务的设置里关闭“自动跳转到 HTTPS”`;
}

function strayText(stray: string): string {
  return `网页可以打开，但它的样式、脚本或表单使用 ${stray}，访客的浏览器不能使用这个地址，因此网页不完整。请在服务的设置里把它的外部地址（站点地址）改为这条映射的地址，并让它信任转发信息里的 X-Forwarded-Proto`;
}

/** Why a visitor gets something else, by what made the difference. */
function differenceText(found: Examination, place: Place): string {
  const { visitor, direct, worse, fix, triedWays, isCutShort } = found;
  if (fix !== undefined)
    return `${causeText(fix, worse, place)}${worse === 'page' ? '' : `（${extraTexts[worse ?? 'script']}）`}`;
  const seen = endText(visitor.end);
  const seenDirectly = direct === undefined ? '' : endText(direct.end, { isDirect: true });
  const what =
    worse === 'page' || worse === undefined
      ? `访客得到的是：${seen}；设备直接访问是：${seenDirectly}`
      : `${extraTexts[worse]}，设备直接访问时不会`;
  const tried = isCutShort ? `服务回应较慢，只来得及换 ${triedWays} 种设置试` : `已换 ${triedWays} 种设置试过`;
  return `${what}。${tried}，结果都一样，请检查服务自己的设置`;
}

const extraTexts = {
  page: '',
  needs: '网页本身可以打开，但它的样式、脚本或表单使用访客打不开的地址',
  script: '网页本身可以打开，但网页里的程序发出的请求被拒绝',
  socket: '网页本身可以打开，但 WebSocket 连接被拒绝',
  form: '网页本身可以打开，但提交表单（例如登录）会被拒绝',
} as const;

function causeText(fix: MappingPatch, worse: Worse | undefined, { domain, page }: Place): string {
  const kind = fix.target === undefined ? undefined : kindText(fix.target);
  const causes = [
    ...(kind === undefined ? [] : [kind]),
    ...(fix.host_header === undefined ? [] : [hostText(fix, domain)]),
    ...(fix.visitor_fields === undefined ? [] : [fieldsText(fix)]),
    ...(fix.forwarded_proto === undefined ? [] : [protoText(fix.forwarded_proto, worse)]),
    ...(fix.tls_name === undefined ? [] : [tlsNameText(fix.tls_name)]),
    ...(fix.origin_fields === undefined ? [] : [`服务不接受来自 ${page} 页面的请求（Origin）`]),
  ];
  return causes.join('，而且');
}

function tlsNameText(name: string): string {
  return `服务按 TLS 名称（SNI）区分网站，只接受${name === '' ? '它自己的名称' : ` ${name}`}`;
}

function protoText(proto: string, worse: Worse | undefined): string {
  if (worse === 'page' || proto === 'follow_host') return '服务按访客的协议（http 或 https）给出了不同的结果';
  const [taken, from] = proto === 'http' ? ['http', 'https'] : ['https', 'http'];
  return `服务以为网页是用 ${taken} 打开的，不接受来自 ${from} 网页的请求（Origin）`;
}

function kindText(target: string): string {
  return target.startsWith('https:')
    ? '这个端口提供的是 HTTPS，映射的目标写的是 http'
    : '这个端口提供的是 HTTP，映射的目标写的是 https';
}

function hostText({ host_header: hostHeader, host_name: name = '' }: MappingPatch, domain: string): string {
  if (hostHeader === 'keep') return `服务要求请求里的 Host 是 ${domain}`;
  if (hostHeader === 'custom') return `服务只接受 ${name.replace(/^localhost:\d+$/, 'localhost')} 作为 Host`;
  return `服务不接受 ${domain} 作为 Host，只认自己的地址`;
}

function fieldsText({ visitor_fields: fields }: MappingPatch): string {
  if (fields === 'send') return '服务需要转发信息（X-Forwarded-* 等）';
  return fields === 'omit'
    ? '服务拒绝带转发信息（X-Forwarded-* 等）的请求'
    : '服务拒绝带访客地址（X-Forwarded-For 等）的请求';
}
