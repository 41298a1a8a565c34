import type { AgentEvent } from '../events/agent-log.ts';
import { describeReason } from './describe-reason.ts';

type ServerUnreachable = Extract<AgentEvent, { event: 'server-unreachable' }>;

/** What happened, as a line for people. */
export function describeEvent(event: AgentEvent): string {
  switch (event.event) {
    case 'server-unreachable':
      return `暂时无法连接服务器 ${event.serverUrl}：${describeUnreachable(event)}。会一直重试`;
    case 'binding-offered':
      return `请在浏览器里打开这个链接，登录后确认添加这台设备（10 分钟内有效）：\n  ${event.url}\n  密钥指纹 ${event.fingerprint}，请与页面上显示的核对`;
    case 'binding-confirmed':
      return `账号 ${event.account} 已确认添加这台设备；如果不是您本人，请立即停止客户端并删除状态目录`;
    case 'binding-expired':
      return '确认添加后 10 分钟内没有连上服务器，那次确认已失效，需要重新确认';
    case 'enrolling':
      return `正在把这台设备绑定到 ${event.serverUrl}`;
    case 'online':
      return `已上线，设备 ID ${event.uid}，通过 ${event.relay}`;
    case 'offline':
      return `已断开：${describeReason(event.reason)}。正在重新连接`;
    case 'tunnel-unreachable':
      return `设备在线，但连接不上另一个接入地址 ${event.relay}：${describeReason(event.reason)}。会一直重试；请检查防火墙是否放行了这个端口`;
    case 'tunnels-unknown':
      return `设备在线，但只连上了 ${event.relay}：服务器的接入地址是 ${event.listed}，与此不同，部分访客会看到设备离线。端口经过转发时，请在服务器上设置 TUNNEL_PUBLIC_PORT`;
    case 'relay-moved':
      return `服务器的接入地址已变为 ${event.relay}`;
    case 'device-unknown':
      return '服务器不认识这台设备，正在用令牌重新绑定';
    case 'scanning':
      return `控制台要求扫描局域网，正在扫描 ${event.addresses.join('、')} 所在的网段`;
  }
}

function describeUnreachable({ serverUrl, reason, redirectedTo }: ServerUnreachable): string {
  const sentence = describeReason(reason, serverUrl);
  return redirectedTo === undefined ? sentence : `请求被转到了 ${redirectedTo}，${sentence}`;
}
