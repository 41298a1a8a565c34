import { errorCatalogue, isErrorCode } from '@tongtu/contract/errors';
import type { AgentEvent } from '../agent-log.ts';

const reasons: Record<string, string> = {
  ECONNREFUSED: '连接被拒绝，服务可能没有运行',
  ECONNRESET: '连接被对方断开',
  ENOTFOUND: '找不到这个主机名',
  EAI_AGAIN: '域名解析失败，请检查网络',
  EHOSTUNREACH: '无法到达该主机',
  ENETUNREACH: '没有网络',
  ETIMEDOUT: '连接超时',
  UND_ERR_CONNECT_TIMEOUT: '连接超时',
  timeout: '连接超时',
  silent: '网络中断，长时间没有收到数据',
  closed: '连接已关闭',
  reset: '连接已关闭',
  protocol: '收到无法识别的数据，请检查客户端是否为最新版本',
  DEPTH_ZERO_SELF_SIGNED_CERT: '服务器使用了自签名的 HTTPS 证书',
  SELF_SIGNED_CERT_IN_CHAIN: '服务器使用了自签名的 HTTPS 证书',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: '服务器的 HTTPS 证书不受信任',
  CERT_HAS_EXPIRED: '服务器的 HTTPS 证书已过期',
  ERR_TLS_CERT_ALTNAME_INVALID: '服务器的 HTTPS 证书与地址不符',
  'pin-mismatch': '接入地址上应答的不是绑定时的服务器，没有向它发送任何数据；可能是网络被劫持，或服务器换了端口',
  'device.disabled': '设备已在控制台中停用',
  'session.replaced': '同一设备身份已在别处登录',
  'relay.stopping': '服务器正在重启',
};

/** What happened, as a line for people. */
export function describeEvent(event: AgentEvent): string {
  switch (event.event) {
    case 'server-unreachable':
      return `暂时无法连接服务器 ${event.serverUrl}：${describeReason(event.reason)}。会一直重试`;
    case 'enrolling':
      return `正在把这台设备绑定到 ${event.serverUrl}`;
    case 'online':
      return `已上线，设备 ID ${event.uid}，通过 ${event.relay}`;
    case 'offline':
      return `已断开：${describeReason(event.reason)}。正在重新连接`;
    case 'relay-moved':
      return `服务器的接入地址已变为 ${event.relay}`;
    case 'device-unknown':
      return '服务器不认识这台设备，正在用令牌重新绑定';
  }
}

function describeReason(reason: string): string {
  if (/^status_\d+$/.test(reason)) return `服务器返回 HTTP ${reason.slice('status_'.length)}`;
  return reasons[reason] ?? (isErrorCode(reason) ? errorCatalogue[reason].detail : reason);
}
