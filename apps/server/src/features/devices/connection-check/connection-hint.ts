import type { ProbeResult } from '@tongtu/contract';

export type ProbedTarget = {
  target: string;
  targetHost: string;
  targetPort: number;
  /** The public port of tcp and udp. */
  port: number | null;
};

/** The hint for the mapping's owner: what the probe saw and what to do. */
export function connectionHint(result: ProbeResult, mapping: ProbedTarget): string {
  switch (result.step) {
    case 'relay':
      return relayHint(result.seen, mapping);
    case 'agent':
      return agentHint(result.seen);
    case 'dns_lan':
      return lanNameHint(result.seen, mapping);
    case 'tcp':
      return result.ok ? connectedHint(mapping) : tcpHint(result.seen, mapping);
    case 'udp':
      return udpHint(result, mapping);
    case 'tls':
      return tlsHint(result.seen, mapping);
    case 'http':
      return result.ok ? successHint(result.seen, mapping) : httpHint(result.seen, mapping);
  }
}

/** The warning for a device that is connected to some of the relays only. Without any relay the check itself fails. */
export function relaysWarning(connected: number, running: number): string | null {
  if (connected === 0 || connected >= running) return null;
  return `设备只连上了 ${running} 个中继中的 ${connected} 个，到达其他中继的访客会看到“设备不在线”。请先升级设备上的客户端；如果仍然如此，请管理员检查防火墙和端口转发是否放行了每个中继的隧道端口`;
}

/** The warning for a UDP mapping whose visitors had too many conversations within the last ten minutes. */
export const fullWarning =
  '最近 10 分钟内 UDP 会话达到了上限：同一个访客地址最多 512 个，一个端口最多 768 个（空闲 60 秒后释放）。超出时，该访客最久没有数据的会话会被结束。如果很多人在同一个网络后面使用，请分成几条映射';

const weaknesses: Record<string, string> = {
  old_protocol: '只支持旧的 TLS 1.0 或 1.1',
  old_cipher: '只支持旧的加密套件',
  short_key: '使用的密钥太短',
  legacy_renegotiation: '不支持安全重协商（RFC 5746）',
};

/** The warning for a service whose TLS is old. */
export function weaknessWarning(weakness: string, { target }: Pick<ProbedTarget, 'target'>): string {
  const reason = weaknesses[weakness] ?? '使用的加密已经过时';
  return `${target} ${reason}：可以使用，但设备与服务之间的数据可能被同一局域网里的人读到或修改。建议升级该服务的固件，或在服务上改用新的 TLS 设置`;
}

/** The hint with what the service of a port says it is. */
export function greetedHint(hint: string, name: string): string {
  return `${hint}，服务自称是 ${name}`;
}

function relayHint(seen: string, { port }: ProbedTarget): string {
  if (seen === 'no_route') return '中继还没有收到这条映射，请几秒后重试';
  if (seen === 'port_in_use') return `公网端口 ${port} 被服务器上的其他程序占用，请换一个端口，或联系管理员`;
  if (seen === 'port_not_allowed') return `中继没有使用公网端口 ${port} 的权限，请换一个端口，或联系管理员`;
  if (seen === 'port_failed') return `中继无法打开公网端口 ${port}，请换一个端口，或联系管理员`;
  return '中继暂时无法处理这次检测，请稍后重试';
}

function agentHint(seen: string): string {
  if (seen === 'outdated') return '设备上的客户端版本过旧，不支持这条映射所用的功能，请升级设备上的客户端';
  if (seen === 'frpc_no_udp') return '这台设备运行的是 frpc，不能转发 UDP。请换用安装了通途客户端的设备';
  if (seen === 'no_proxy')
    return 'frpc 已连上，但它的配置里没有名为 lan、插件为 http_proxy 的代理。请在设备菜单里重新复制配置，粘贴后重启 frpc';
  if (seen === 'timeout') return '设备没有及时响应，可能是它的网络不稳定，请稍后重试';
  if (seen === 'busy') return '设备正在进行太多检测，请稍后重试';
  return '设备的连接刚刚断开，请检查设备上的客户端是否在运行、能否上网';
}

function lanNameHint(seen: string, { targetHost }: ProbedTarget): string {
  // Either the device has not received the mapping yet, or the name leads out of the LAN.
  if (seen === 'not_allowed') {
    return `设备没有访问 ${targetHost}：它只连接局域网内的地址。请确认该名称指向局域网；刚保存的映射请几秒后重试`;
  }
  if (seen === 'credential_address') {
    return `设备没有访问 ${targetHost}：它是链路本地地址（169.254.x.x、fe80::）或云平台的元数据地址，或者指向这样的地址，客户端从不连接。请改填局域网内的其他地址`;
  }
  if (seen === 'timeout') return `设备解析名称 ${targetHost} 超时，请检查设备的 DNS 设置，或改填 IP 地址`;
  return `设备在局域网内找不到名称 ${targetHost}，请检查拼写，或改填 IP 地址`;
}

function tcpHint(seen: string, { targetHost, targetPort }: ProbedTarget): string {
  if (seen === 'refused') return `${targetHost} 拒绝了端口 ${targetPort} 的连接，请检查服务是否已启动、端口是否正确`;
  if (seen === 'timeout') return `连接 ${targetHost}:${targetPort} 超时，请检查该主机是否开机、防火墙是否放行此端口`;
  if (seen === 'unreachable') return `设备到不了 ${targetHost}，请确认两者在同一局域网，IP 地址没有变化`;
  return `无法连接 ${targetHost}:${targetPort}（${seen}），请检查服务是否已启动`;
}

function connectedHint({ targetHost, targetPort }: ProbedTarget): string {
  return `连接正常，${targetHost} 的端口 ${targetPort} 可以连接`;
}

function udpHint({ ok, seen }: ProbeResult, { targetHost, targetPort }: ProbedTarget): string {
  const place = `${targetHost} 的 UDP 端口 ${targetPort}`;
  if (seen === 'answered') return `连接正常，${place} 有回应`;
  if (ok) {
    return `线路正常，${place} 没有拒绝，也没有回应测试数据：这对 UDP 服务是正常的，请用实际的程序确认`;
  }
  if (seen === 'refused') return `${place} 没有服务在监听，请检查服务是否已启动、端口是否正确`;
  if (seen === 'unreachable')
    return `设备到不了 ${targetHost}，请确认该主机已开机、与设备在同一局域网，IP 地址没有变化`;
  return `设备无法向 ${place} 发送数据（${seen}），请检查设备的网络`;
}

function tlsHint(seen: string, { target, targetHost }: ProbedTarget): string {
  if (seen === 'certificate_invalid') {
    return `${target} 的证书无效（自签名、已过期，或与 ${targetHost} 不符）：请在服务上安装有效的证书，或在映射的设置中关闭“校验内网证书”`;
  }
  if (seen === 'timeout') return `${target} 没有完成 HTTPS 握手，请确认该端口提供的是 HTTPS 服务`;
  return `与 ${target} 的 HTTPS 握手失败；如果该服务只支持 HTTP，请把目标地址改为 http:// 开头；如果它按域名区分网站，请在映射的高级选项中填写“TLS 名称”`;
}

function httpHint(seen: string, { target }: ProbedTarget): string {
  if (seen === 'timeout') return `已连上 ${target}，但服务没有返回内容，请检查该服务是否正常`;
  if (seen === 'not_http') return `${target} 返回的不是网页内容，请确认端口对应的是网页服务`;
  return `已连上 ${target}，但服务断开了连接；如果该服务要求 HTTPS，请把目标地址改为 https:// 开头`;
}

function successHint(seen: string, { target }: ProbedTarget): string {
  if (seen === 'http2') return `连接正常，${target} 使用 HTTP/2，gRPC 程序可以访问`;
  const status = statusOf(seen);
  if (status === undefined) return `连接正常，${target} 可以访问`;
  if (status >= 500) return `线路正常，但 ${target} 返回了 HTTP ${status}，请检查该服务本身`;
  if (status === 404) return `线路正常，${target} 的首页返回 HTTP 404，网页可能在其他路径下`;
  if (status === 401 || status === 403) return `连接正常，${target} 要求登录（HTTP ${status}）`;
  return `连接正常，${target} 返回 HTTP ${status}`;
}

function statusOf(seen: string): number | undefined {
  const match = /^status_(\d{3})$/.exec(seen);
  return match ? Number(match[1]) : undefined;
}
