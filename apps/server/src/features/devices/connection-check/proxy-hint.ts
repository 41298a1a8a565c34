import type { ProbeResult } from '@tongtu/contract';
import { connectionHint } from './connection-hint.ts';

/** The hint for a mapping that a frpc.toml manages: only frpc knows the address of the service. */
export function proxyHint(result: ProbeResult, { proxy, port }: { proxy: string; port: number | null }): string {
  // Without a name: its proxy has left it to others with the same domain.
  const [named, service] = proxy === '' ? ['这个域名的代理', '服务'] : [`代理“${proxy}”`, `代理“${proxy}”的服务`];
  if (result.step === 'agent' && result.seen === 'no_proxy')
    return `frpc 已连上，但没有登记${named}：frpc.toml 里可能已删除它，或者它被拒绝，原因见 frpc 的日志`;
  if (result.step === 'agent' && result.seen === 'frpc_not_served')
    return `frpc 已连上，但连不上${service}，请检查服务是否已启动，frpc.toml 里的 localIP 和 localPort 是否正确`;
  if (result.step === 'tcp' && result.ok) return `连接正常，frpc 连上了${service}`;
  if (result.step === 'tcp') return `frpc 连接${service}超时，请检查该主机是否开机、地址是否正确`;
  if (result.step === 'udp') return `线路正常。UDP 服务不一定回应测试数据，请用实际的程序确认${service}`;
  return connectionHint(result, { target: service, targetHost: '服务', targetPort: 0, port });
}
