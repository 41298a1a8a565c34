import {
  AppError,
  type DiagnosedLine,
  type Diagnosis,
  type ErrorCode,
  type SentLine,
  withoutHiddenCharacters,
} from '@tongtu/contract';
import type { DiagnosedAddress, DiagnosisReport } from '@tongtu/tunnel';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { type DeviceRow, deviceStateOf, findDevice, listConnections } from '../devices/index.ts';
import type { DiagnosisOutcome } from '../relays/index.ts';

type DiagnosisRoutesDeps = {
  db: Db;
  /** Undefined if none of the device's relays is connected to this server process. */
  diagnose: (device: DeviceRow) => Promise<DiagnosisOutcome | undefined>;
  wallClock: () => Date;
};

type FailureReason = Extract<DiagnosisOutcome, { ok: false }>['reason'];

const failures: Record<FailureReason, ErrorCode> = {
  offline: 'diagnosis.offline',
  outdated: 'diagnosis.outdated',
  unsupported: 'diagnosis.frpc',
  busy: 'device.busy',
  timeout: 'diagnosis.no-answer',
  lost: 'diagnosis.no-answer',
  malformed: 'diagnosis.no-answer',
};

/** Why a device is offline or slow: what the server has recorded, and what the device itself finds out. For its owner only. */
export function registerDiagnosisRoutes(app: FastifyInstance, deps: DiagnosisRoutesDeps): void {
  const getOwn = async (id: number, userId: number): Promise<DeviceRow> => {
    const device = await findDevice(deps.db, id);
    if (device?.userId !== userId) throw new AppError('device.not-found');
    return device;
  };

  mount(app, 'GET /api/user/routers/{id}/connections/', { login: 'required' }, async ({ params, session }) => {
    await getOwn(params.id, session.userId);
    return (await listConnections(deps.db, params.id)).map((connection) => ({
      at: connection.at.toISOString(),
      online: connection.online,
      offline_reason: connection.offlineReason,
      public_ip: connection.publicIp,
      agent_version: connection.agentVersion,
    }));
  });
  mount(app, 'POST /api/user/routers/{id}/diagnosis/', { login: 'required' }, async ({ params, session }) => {
    const device = await getOwn(params.id, session.userId);
    if (device.runsFrpc) throw new AppError('diagnosis.frpc');
    if (deviceStateOf(device).state !== 'online') throw new AppError('diagnosis.offline');
    const outcome = await deps.diagnose(device);
    if (outcome === undefined) throw new AppError('server.unavailable');
    if (!outcome.ok) throw new AppError(failures[outcome.reason]);
    return diagnosisReply(outcome, deps.wallClock());
  });
}

type Answer = { report: DiagnosisReport; sent: SentLine[] | undefined };

function diagnosisReply({ report, sent }: Answer, madeAt: Date): Diagnosis {
  const { system, connections, bbr } = report;
  return {
    made_at: madeAt.toISOString(),
    agent_version: shown(report.agentVersion),
    protocol: report.protocol,
    features: report.features.map(shown),
    system: {
      platform: shown(system.platform),
      node: shown(system.node),
      uptime_seconds: system.uptimeSeconds,
      free_mib: system.freeMiB,
      total_mib: system.totalMiB,
      load: system.load,
    },
    proxies: report.proxies.map(({ name, value }) => ({ name: shown(name), value: shown(value) })),
    server_url: shown(report.serverUrl),
    server: report.server && addressReply(report.server),
    clock_ahead_seconds: report.clockAheadSeconds,
    dns: report.dns.map(addressReply),
    relays: report.relays.map(addressReply),
    lines: {
      from_device: connections?.map((connection) => lineReply(connection.name, connection)) ?? null,
      from_relay: sent?.map((line) => lineReply('', line)) ?? null,
      bbr: bbr === undefined ? null : { ok: bbr.ok, text: shown(bbr.text) },
    },
    history: report.history.map(({ at, text }) => ({ at, text: shown(text) })).toReversed(),
  };
}

function addressReply({ name, ok, ms, text }: DiagnosedAddress) {
  return { name: shown(name), ok, ms, text: shown(text) };
}

function lineReply(name: string, line: SentLine): DiagnosedLine {
  return {
    name: shown(name),
    rtt_ms: line.rttMs,
    loss_percent: line.lossPercent,
    congestion_control: line.congestionControl === null ? null : shown(line.congestionControl),
    bytes_per_s: line.bytesPerS,
  };
}

/** The texts come from the device. */
const shown = withoutHiddenCharacters;
