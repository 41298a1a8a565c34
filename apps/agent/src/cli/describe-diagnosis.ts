import type { Attempt, Diagnosis } from '../diagnosis/collect-diagnosis.ts';
import type { StoredEvent } from '../events/event-history.ts';
import type { AgentEvent } from '../events/agent-log.ts';
import { describeBbr, describeConnection } from './describe-line.ts';
import { describeEvent } from './describe-event.ts';
import { describeReason } from './describe-reason.ts';
import { logLine } from './log-line.ts';

/** A clock that is further off makes certificates look invalid. */
const MAX_CLOCK_SECONDS = 30;

/** The diagnosis for people. */
export function describeDiagnosis(diagnosis: Diagnosis): string {
  const { system, proxies, clockAheadSeconds: ahead, server, serverUrl } = diagnosis;
  const lines = [
    '通途客户端诊断（不含令牌、密钥和密码，可以发给帮您排查的人）',
    '',
    `时间　　${diagnosis.madeAt}`,
    `客户端　${diagnosis.agentVersion}，协议 ${diagnosis.protocol}，支持 ${diagnosis.features.join('、')}`,
    `系统　　${system.platform}，Node.js ${system.node}`,
    `运行　　开机 ${Math.floor(system.uptimeSeconds / 3600)} 小时，可用内存 ${system.freeMiB} / ${system.totalMiB} MB，负载 ${system.load.toFixed(2)}`,
    `设备 ID ${diagnosis.uid ?? '还没有绑定'}`,
    `服务器　${serverUrl === '' ? '未知，请用 --server 指定' : serverUrl}`,
    `代理　　${
      Object.keys(proxies).length === 0
        ? '没有设置'
        : Object.entries(proxies)
            .map(([name, value]) => `${name}=${value}`)
            .join('，')
    }`,
    `时钟　　${describeClock(ahead)}`,
    ...section('域名解析', diagnosis.dns),
    ...section('服务器', server === undefined ? [] : [server], serverUrl),
    ...section('中继（建立加密连接的时间）', diagnosis.relays),
    '',
    '线路（设备发往中继）',
    ...(diagnosis.connections.length === 0
      ? ['  没有已建立的连接，或没有 ss 命令']
      : diagnosis.connections.map(describeConnection)),
    `  ${describeBbr(diagnosis).text}`,
    '',
    '最近的记录',
    ...(diagnosis.history.length === 0 ? ['  没有'] : diagnosis.history.map(describeStored)),
  ];
  return `${lines.join('\n')}\n`;
}

function describeClock(ahead: number | undefined): string {
  if (ahead === undefined) return '无法与服务器比较';
  if (Math.abs(ahead) <= MAX_CLOCK_SECONDS) return `与服务器相差 ${Math.abs(ahead)} 秒，正常`;
  return `比服务器${ahead > 0 ? '快' : '慢'} ${Math.abs(ahead)} 秒，请校准本机时间`;
}

function section(title: string, attempts: readonly Attempt[], serverUrl?: string): string[] {
  const lines = attempts.map((attempt) =>
    attempt.ok
      ? `  正常　${attempt.name}　${attempt.ms} ms　${attempt.seen}`
      : `  失败　${attempt.name}　${attempt.ms} ms　${describeReason(attempt.reason, serverUrl)}`,
  );
  return ['', title, ...(lines.length === 0 ? ['  没有可以检查的地址'] : lines)];
}

function describeStored({ at, ...event }: StoredEvent): string {
  return `  ${logLine(describeStoredEvent(event), new Date(at)).trimEnd()}`;
}

/** An agent of another version may have stored events that this one does not know, or knows with other fields. */
export function describeStoredEvent(event: Omit<StoredEvent, 'at'>): string {
  try {
    const text: string | undefined = describeEvent(event as unknown as AgentEvent);
    return text ?? JSON.stringify(event);
  } catch {
    return JSON.stringify(event);
  }
}
