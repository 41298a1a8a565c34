import type { Diagnosis, Place } from '../diagnosis/collect-diagnosis.ts';
import type { MeasuredConnection } from '../line/relay-connections.ts';

const unknown = '未知';

/** How one connection fares, in a line for people. */
export function describeConnection({ name, rttMs, lossPercent, congestionControl, bytesPerS }: MeasuredConnection) {
  const rate = bytesPerS === null ? unknown : `${((bytesPerS * 8) / 1e6).toFixed(1)} Mbit/s`;
  const loss = lossPercent === null ? unknown : `${lossPercent.toFixed(1)} %`;
  const rtt = rttMs === null ? unknown : `${rttMs.toFixed(0)} ms`;
  return `  ${name}　往返 ${rtt}　重传 ${loss}　拥塞控制 ${congestionControl ?? unknown}　速率 ${rate}`;
}

const commandForAll =
  "以 root 运行 echo 'net.ipv4.tcp_congestion_control=bbr' > /etc/sysctl.d/90-bbr.conf，再运行 sysctl -p /etc/sysctl.d/90-bbr.conf";

const kernelHints: Record<Place, string> = {
  container:
    '请在宿主机上以 root 运行 modprobe tcp_bbr；要开机自动加载，再运行 echo tcp_bbr > /etc/modules-load.d/bbr.conf',
  openwrt: '请运行 opkg update && opkg install kmod-tcp-bbr（25.12 或更新：apk add kmod-tcp-bbr）',
  machine: '请以 root 运行 modprobe tcp_bbr；要开机自动加载，再运行 echo tcp_bbr > /etc/modules-load.d/bbr.conf',
};

function forAll(place: Place): string {
  return `让整个系统使用 bbr：${place === 'container' ? '在宿主机上' : ''}${commandForAll}`;
}

/** Whether the connections to the relays use bbr, and what to run where they do not. */
export function describeBbr({ bbr, place }: Pick<Diagnosis, 'bbr' | 'place'>): { ok: boolean; text: string } {
  switch (bbr) {
    case 'set':
      return { ok: true, text: 'bbr 可用，只用于客户端自己到中继的连接' };
    case 'default':
      return { ok: true, text: '系统默认的拥塞控制就是 bbr' };
    case 'local':
      return { ok: true, text: '中继就在本机，不需要 bbr' };
    case 'off':
      return { ok: true, text: 'bbr 已由 --no-bbr 或 TONGTU_BBR=off 关闭' };
    case 'untried':
      return { ok: true, text: '还没有连上中继，未检查 bbr' };
    case 'not-linux':
      return { ok: true, text: '这个系统没有 bbr' };
    case 'not-in-kernel':
      return {
        ok: false,
        text: `没有启用 bbr，丢包的线路会很慢：内核里没有 tcp_bbr（需要 Linux 4.9 或更新）。${kernelHints[place]}，然后重新启动客户端`,
      };
    case 'no-tool':
      return {
        ok: false,
        text: `没有启用 bbr，丢包的线路会很慢：设备上没有 perl 或 python3，客户端不能只为自己的连接启用。请安装其中一个，或${forAll(place)}，然后重新启动客户端`,
      };
    case 'refused':
      return { ok: false, text: `没有启用 bbr，丢包的线路会很慢：系统不允许。可${forAll(place)}，然后重新启动客户端` };
  }
}
