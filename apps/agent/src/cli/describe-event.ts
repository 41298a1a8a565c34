import type { AgentEvent } from '../events/agent-log.ts';
import { withoutSecrets } from '../events/without-secrets.ts';
import { describeReason } from './describe-reason.ts';

type ServerUnreachable = Extract<AgentEvent, { event: 'server-unreachable' }>;

/** Why the agent does not take a newer one. */
const refusals: Record<string, string> = {
  'bad-signature': '它的签名与绑定时记下的服务器密钥不符，可能是服务器换了密钥，或有人冒充服务器',
  'not-newer': '它并不比现在的版本新',
  'bad-hash': '下载的文件与服务器签名的不一致，可能已损坏，或服务器正在更新',
  'too-large': '下载的文件过大',
  'too-slow': '下载太慢，超过了 15 分钟',
};

/** What happened, as a line for people. */
export function describeEvent(event: AgentEvent): string {
  switch (event.event) {
    case 'server-unreachable':
      return `暂时无法连接服务器 ${withoutSecrets(event.serverUrl)}：${describeUnreachable(event)}。会一直重试`;
    case 'binding-offered':
      return `请在浏览器里打开这个链接，登录后确认添加这台设备（10 分钟内有效）：\n  ${event.url}\n  密钥指纹 ${event.fingerprint}，请与页面上显示的核对`;
    case 'binding-confirmed':
      return `账号 ${event.account} 已确认添加这台设备；如果不是您本人，请立即停止客户端并删除状态目录`;
    case 'binding-expired':
      return '确认添加后 10 分钟内没有连上服务器，那次确认已失效，需要重新确认';
    case 'enrolling':
      return `正在把这台设备绑定到 ${withoutSecrets(event.serverUrl)}`;
    case 'online':
      return `已上线，设备 ID ${event.uid}，通过 ${event.relay}`;
    case 'offline':
      return `已断开：${describeReason(event.reason)}。正在重新连接`;
    case 'connections-replaced':
      return `线路中断或变化，已换用 ${event.connections} 条新连接继续（${event.relay}，最长 ${event.seconds} 秒没有数据）；正在进行的传输没有中断`;
    case 'tunnel-unreachable':
      return `设备在线，但连接不上另一个接入地址 ${event.relay}：${describeReason(event.reason)}。会一直重试；请检查防火墙是否放行了这个端口`;
    case 'tunnels-unknown':
      return `设备在线，但只连上了 ${event.relay}：服务器的接入地址是 ${event.listed}，与此不同，部分访客会看到设备离线。端口经过转发时，请在服务器上设置 TUNNEL_PUBLIC_PORT`;
    case 'relay-moved':
      return `服务器的接入地址已变为 ${event.relay}`;
    case 'device-unknown':
      return '服务器不认识这台设备，正在用令牌重新绑定';
    case 'upgrade-offered':
      return `控制台要求升级到 ${event.version}，正在从服务器下载`;
    case 'upgrade-refused':
      return `没有升级到 ${event.version}：${refusals[event.reason] ?? describeReason(event.reason)}`;
    case 'upgrade-failed':
      return `升级到 ${event.version} 没有成功，继续运行现在的版本：${refusals[event.reason] ?? describeReason(event.reason)}`;
    case 'upgrade-rolled-back':
      return `新版本 ${event.version} 没有上线、失去响应，或上线后几分钟内就结束了，已换回原来的版本`;
    case 'scanning':
      return `控制台要求扫描局域网，正在扫描 ${event.addresses.join('、')} 所在的网段`;
  }
}

function describeUnreachable({ serverUrl, reason, redirectedTo }: ServerUnreachable): string {
  const sentence = describeReason(reason, serverUrl);
  return redirectedTo === undefined ? sentence : `请求被转到了 ${withoutSecrets(redirectedTo)}，${sentence}`;
}
