import type { DiagnosedLine, Device, DeviceConnection, Diagnosis, TriedAddress } from '@tongtu/contract';
import { offlineReasonTexts } from '@tongtu/contract/offline-reasons';
import dayjs from 'dayjs';
import { durationText } from '../../../text/cloud-apps/app-sessions.ts';
import { deviceStateWord } from '../../../text/devices/device-states.ts';
import { diagnosisText } from '../../../text/devices/diagnosis.ts';
import type { StateTone } from '../../../ui/state-tag.tsx';

/** A clock that is further off makes certificates look invalid. */
const maxClockSeconds = 30;

export type Fact = { label: string; value: string };

export function factsOf(diagnosis: Diagnosis): Fact[] {
  const { system, proxies } = diagnosis;
  const { facts } = diagnosisText;
  return [
    { label: facts.version, value: diagnosisText.protocol(diagnosis.agent_version, diagnosis.protocol) },
    { label: facts.system, value: diagnosisText.node(system.platform, system.node) },
    { label: facts.running, value: durationText(system.uptime_seconds) },
    { label: facts.memory, value: diagnosisText.memory(system.free_mib, system.total_mib) },
    { label: facts.load, value: system.load.toFixed(2) },
    { label: facts.clock, value: clockText(diagnosis.clock_ahead_seconds) },
    {
      label: facts.proxies,
      value:
        proxies.length === 0
          ? diagnosisText.noProxies
          : proxies.map(({ name, value }) => `${name}=${value}`).join('，'),
    },
  ];
}

export function isClockWrong(diagnosis: Diagnosis): boolean {
  return Math.abs(diagnosis.clock_ahead_seconds ?? 0) > maxClockSeconds;
}

function clockText(ahead: number | null): string {
  const { clock } = diagnosisText;
  if (ahead === null) return clock.unknown;
  if (Math.abs(ahead) <= maxClockSeconds) return clock.right(Math.abs(ahead));
  return ahead > 0 ? clock.ahead(ahead) : clock.behind(-ahead);
}

export type TriedGroup = { title: string; tried: readonly TriedAddress[] };

export function triedGroups({ dns, server, relays }: Diagnosis): TriedGroup[] {
  const { groups } = diagnosisText;
  return [
    { title: groups.dns, tried: dns },
    { title: groups.server, tried: server === null ? [] : [server] },
    { title: groups.relays, tried: relays },
  ];
}

/** The least share of bytes that are sent again at which a line is called lossy. */
const lossyPercent = 1;

type LineRow = { name: string; tone: StateTone; word: string; facts: string[] };
/** `note`: why there are no rows. */
export type LineGroup = { title: string; rows: LineRow[]; note: string };

export function lineGroups({ lines }: Diagnosis): LineGroup[] {
  const { lines: texts } = diagnosisText;
  return [
    lineGroup(texts.fromDevice, lines.from_device, texts.oldAgent),
    lineGroup(texts.fromRelay, lines.from_relay, texts.noRelayFigures),
  ];
}

function lineGroup(title: string, lines: DiagnosedLine[] | null, unknown: string): LineGroup {
  const note = lines === null ? unknown : diagnosisText.lines.none;
  return { title, rows: (lines ?? []).map(lineRow), note };
}

function lineRow(line: DiagnosedLine, index: number): LineRow {
  const { lines: texts } = diagnosisText;
  const { rtt_ms: rtt, loss_percent: loss, congestion_control: control, bytes_per_s: rate } = line;
  const name = [line.name, texts.connection(index + 1)].filter((part) => part !== '').join(' ');
  const facts = [
    rtt === null ? texts.noRtt : texts.rtt(rtt),
    loss === null ? texts.noLoss : texts.loss(loss),
    control === null ? texts.noCongestionControl : texts.congestionControl(control),
    rate === null ? texts.noRate : texts.rate(rate),
  ];
  if (loss === null) return { name, facts, tone: 'muted', word: texts.unknown };
  return loss < lossyPercent
    ? { name, facts, tone: 'good', word: texts.good }
    : { name, facts, tone: 'caution', word: texts.lossy };
}

export type ConnectionLine = { at: string; online: boolean; word: string; details: string[] };

/** The newest first, as they are given. Each but the newest says how long it lasted. */
export function connectionLines(connections: readonly DeviceConnection[]): ConnectionLine[] {
  return connections.map((connection, index) => {
    const { at, online, offline_reason: reason } = connection;
    const newer = connections[index - 1];
    const isReconnection = online && connections[index + 1]?.online === true;
    const onlineWord = isReconnection ? diagnosisText.reconnected : diagnosisText.cameOnline;
    return {
      at,
      online,
      word: online ? onlineWord : diagnosisText.wentOffline,
      details: [
        reason === null ? '' : offlineReasonTexts[reason],
        online && connection.public_ip !== '' ? diagnosisText.fromAddress(connection.public_ip) : '',
        online && connection.agent_version !== '' ? diagnosisText.agent(connection.agent_version) : '',
        newer ? diagnosisText.lasted(durationText((Date.parse(newer.at) - Date.parse(at)) / 1000)) : '',
      ].filter((text) => text !== ''),
    };
  });
}

/** `2026-11-23 16:43:05` of the browser's clock. */
export function secondText(at: string): string {
  return dayjs(at).format('YYYY-MM-DD HH:mm:ss');
}

type FileContent = {
  device: Device;
  diagnosis: Diagnosis | undefined;
  /** Why there is no diagnosis. */
  failure: string;
  connections: readonly DeviceConnection[];
  now: Date;
};

/** What the dialog shows, as a text file. */
export function diagnosisFile({ device, diagnosis, failure, connections, now }: FileContent): string {
  const { file } = diagnosisText;
  const lines = [
    `${file.heading}（${diagnosisText.safeToShare.replace('。', '')}）`,
    '',
    `${file.made}：${dayjs(now).format('YYYY-MM-DD HH:mm:ss Z')}（${file.zone}）`,
    `${file.device}：${device.name}（${device.uid}）`,
    `${file.state}：${deviceStateWord(device)}`,
    '',
    diagnosisText.own,
    ...(diagnosis === undefined ? [`  ${failure}`] : ownLines(diagnosis)),
    '',
    diagnosisText.connections,
    ...orNone(
      connectionLines(connections).map(({ at, word, details }) =>
        `  ${secondText(at)}  ${word}  ${details.join('，')}`.trimEnd(),
      ),
      diagnosisText.noConnections,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function ownLines(diagnosis: Diagnosis): string[] {
  return [
    ...factsOf(diagnosis).map(({ label, value }) => `  ${label}：${value}`),
    ...triedGroups(diagnosis).flatMap(({ title, tried }) => [
      '',
      title,
      ...orNone(
        tried.map(
          ({ ok, name, ms, text }) =>
            `  ${ok ? diagnosisText.passed : diagnosisText.failedWord}  ${name}  ${diagnosisText.elapsed(ms)}  ${text}`,
        ),
        diagnosisText.nothingToTry,
      ),
    ]),
    ...lineGroups(diagnosis).flatMap(({ title, rows, note }) => [
      '',
      `${diagnosisText.lines.title}：${title}`,
      ...orNone(
        rows.map(({ word, name, facts }) => `  ${word}  ${name}  ${facts.join('，')}`),
        note,
      ),
    ]),
    ...(diagnosis.lines.bbr === null ? [] : [`  ${diagnosis.lines.bbr.text}`]),
    '',
    diagnosisText.history,
    ...orNone(
      diagnosis.history.map(({ at, text }) => `  ${secondText(at)}  ${text}`),
      diagnosisText.noHistory,
    ),
  ];
}

function orNone(lines: string[], none: string): string[] {
  return lines.length === 0 ? [`  ${none}`] : lines;
}
