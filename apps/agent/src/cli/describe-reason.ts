import { errorCatalogue, isErrorCode } from '@tongtu/contract/errors';

const sentences: Record<string, string> = {
  ECONNREFUSED: '连接被拒绝，服务可能没有运行',
  ECONNRESET: '连接被对方断开',
  ECONNABORTED: '连接被对方断开',
  EPIPE: '连接被对方断开',
  ENOTFOUND: '找不到这个主机名，请检查地址',
  EAI_AGAIN: '域名解析失败，请检查网络',
  EAI_FAIL: '域名解析失败，请检查网络',
  EHOSTUNREACH: '无法到达该主机',
  EADDRNOTAVAIL: '无法到达该主机',
  ENETUNREACH: '没有网络',
  ENETDOWN: '没有网络',
  EACCES: '连接被本机的防火墙或权限设置阻止',
  EPERM: '连接被本机的防火墙或权限设置阻止',
  EMFILE: '本机打开的文件或连接过多',
  ENFILE: '本机打开的文件或连接过多',
  ETIMEDOUT: '连接超时',
  timeout: '连接超时',
  silent: '网络中断，长时间没有收到数据',
  closed: '连接已关闭',
  'session.unknown': '服务器已不再保留原来的会话',
  reset: '连接已关闭',
  protocol: '收到无法识别的数据，请检查客户端是否为最新版本',
  'redirect count exceeded': '请求被来回转向，请检查地址和反向代理的设置',
  'not-json': '返回的是网页，不是通途服务器的应答；可能是服务器还在启动、网络需要先登录，或地址有误',
  'not-bootstrap': '返回的不是通途服务器的应答，请检查地址',
  'pin-mismatch': '接入地址上应答的不是绑定时的服务器，没有向它发送任何数据；可能是网络被劫持，或服务器换了端口',
  DEPTH_ZERO_SELF_SIGNED_CERT: '服务器使用了自签名的 HTTPS 证书',
  CERT_HAS_EXPIRED: '服务器的 HTTPS 证书已过期，请检查证书和本机时间',
  CERT_NOT_YET_VALID: '服务器的 HTTPS 证书尚未生效，请检查本机时间',
  ERR_TLS_CERT_ALTNAME_INVALID: '服务器的 HTTPS 证书与地址不符',
  'device.unknown': '服务器上没有这台设备，将重新接入',
  'device.disabled': '设备已在控制台中停用',
  'session.replaced':
    '另一个客户端正以同一设备身份运行，通常是状态目录被复制到了两处；请停止其中一个，删除它的状态目录，再用令牌重新绑定',
  'relay.stopping': '服务器正在重启',
};

/** Why the server or its relay cannot be reached, as a part of a sentence. Codes are shown only behind words. */
export function describeReason(reason: string, serverUrl?: string): string {
  const status = /^status_(\d+)$/.exec(reason)?.[1];
  if (status !== undefined) return `服务器返回 HTTP ${status}${describeStatus(Number(status))}`;
  const sentence = sentences[reason];
  if (sentence !== undefined) return sentence;
  if (isErrorCode(reason)) return errorCatalogue[reason].zh;
  if (/CERT|^UNABLE_TO_/.test(reason))
    return `服务器的 HTTPS 证书不受信任（${reason}），自建的证书颁发机构须先加入这台设备的系统信任列表`;
  if (/^(HPE_|ERR_SSL_|EPROTO$|not-http$)/.test(reason)) return describeOtherProtocol(serverUrl);
  return `网络错误（${reason}）`;
}

/** What is mostly behind such a status, where a person may do something about it. */
function describeStatus(status: number): string {
  if (status === 404) return '，服务器可能正在部署，或地址有误';
  if (status === 429) return '，请求过于频繁';
  if (status >= 500) return '，服务器可能正在启动或维护';
  if (status >= 300) return '，请求可能被代理、防火墙或需要登录的网络拦截，或地址有误';
  return '';
}

/** Mostly a port that speaks TLS where plain text was meant, or the reverse. */
function describeOtherProtocol(serverUrl: string | undefined): string {
  if (serverUrl === undefined) return '接入地址上应答的不是通途服务器，端口可能被其他服务占用';
  return serverUrl.startsWith('https:')
    ? '这个地址的应答不是 HTTPS；如果服务器没有启用 HTTPS，请改用 http:// 开头的地址'
    : '这个地址的应答不是 HTTP；如果服务器启用了 HTTPS，请改用 https:// 开头的地址';
}
