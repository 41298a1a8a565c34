import { randomUUID } from 'node:crypto';
import {
  AppError,
  type ConnectionCheck,
  type ConnectionStep,
  optionNames,
  type ProbeResult,
  type VisitCheck,
} from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { isPublicName } from '../../certificates/index.ts';
import { findMapping, formatTarget, mappingDomain, type MappingRow } from '../../mappings/index.ts';
import { claimCheck, releaseCheck } from './connection-check-store.ts';
import { connectionHint, fullWarning, greetedHint, relaysWarning, weaknessWarning } from './connection-hint.ts';
import { proxyHint } from './proxy-hint.ts';
import {
  checkVisits,
  type CheckVisitsDeps,
  greetedBy,
  isVisited,
  type VisitInput,
  VisitNotMadeError,
} from './visits/check-visits.ts';
import { notMadeVerdict } from './visits/visit-not-made.ts';
import { deviceStateOf } from '../presence/device-state.ts';
import type { DeviceRow } from '../device-store.ts';
import { getOwnDevice } from '../find-own-device.ts';

export type ProbeTarget = { relayIds: string[]; deviceId: number; mappingId: number };

export type CheckConnectionDeps = CheckVisitsDeps & {
  db: Db;
  /** Lets the device test the target; undefined when its relays are connected to other server processes. */
  probe: (target: ProbeTarget) => Promise<ProbeResult | undefined>;
  /** Rejects when the name has no address. */
  resolveName: (host: string, signal: AbortSignal) => Promise<void>;
};

type Outcome = { ok: boolean; step: ConnectionStep; hint: string; warning?: string; visit?: VisitCheck };

const DNS_TIMEOUT_MS = 1_500;
// Longer than the name look-up, the probe and all visits together, so a claim expires only if its process has died.
const CLAIM_SECONDS = 60;

/**
 * Checks each step of a visitor's request and returns the first that fails.
 * Throws device.not-found, mapping.not-found, device.busy, server.unavailable. After an abort it ends with the visit that is
 * running, so that a device still has one test at a time.
 */
export async function checkConnection(
  deps: CheckConnectionDeps,
  input: { userId: number; deviceId: number; mappingId: number; address: string; signal: AbortSignal },
): Promise<ConnectionCheck> {
  const startedMs = deps.monotonicMs();
  const device = await getOwnDevice(deps.db, input.userId, { id: input.deviceId });
  const mapping = await findMapping(deps.db, input.mappingId, input.userId);
  if (mapping?.deviceId !== device.id) throw new AppError('mapping.not-found');
  const runId = randomUUID();
  if (!(await claimCheck(deps.db, device.id, runId, CLAIM_SECONDS))) throw new AppError('device.busy');
  try {
    const checked = await checkSteps(deps, device, mapping, input);
    // The relay visits what the mapping is by then.
    const isChanged = !isSameMapping(mapping, await findMapping(deps.db, mapping.id, input.userId));
    const outcome: Outcome = isChanged ? notMadeVerdict('no-mapping') : checked;
    const ms = Math.round(deps.monotonicMs() - startedMs);
    return { warning: relaysWarning(device.relayIds.length, device.runningRelayCount), visit: null, ...outcome, ms };
  } finally {
    await releaseCheck(deps.db, device.id, runId);
  }
}

/** Whether a service gets the same of a visitor. */
function isSameMapping(before: MappingRow, now: MappingRow | undefined): boolean {
  const names = ['enabled', 'kind', 'targetHost', 'targetPort', ...optionNames] as const;
  return now !== undefined && names.every((name) => before[name] === now[name]);
}

async function checkSteps(
  deps: CheckConnectionDeps,
  device: DeviceRow,
  mapping: MappingRow,
  caller: Omit<VisitInput, 'target'>,
): Promise<Outcome> {
  return (
    (await checkName(deps, mapping)) ??
    checkRelay(device, mapping) ??
    checkAgent(device) ??
    (await checkTarget(deps, device, mapping, caller))
  );
}

async function checkName(deps: CheckConnectionDeps, mapping: MappingRow): Promise<Outcome | undefined> {
  const domain = mappingDomain(mapping);
  // Browsers send these to the machine itself without asking DNS (RFC 6761).
  if (domain.endsWith('.localhost')) return undefined;
  try {
    // The system's resolver takes no asterisk.
    await deps.resolveName(domain.replace('*', 'tongtu'), AbortSignal.timeout(DNS_TIMEOUT_MS));
    return undefined;
  } catch {
    // Every cause (no record, no answer, timeout) has the same remedy.
    return { ok: false, step: 'dns', hint: `域名 ${domain} 没有解析到地址，${nameRemedy(mapping)}` };
  }
}

function nameRemedy({ customDomain, prefix, suffix }: MappingRow): string {
  if (customDomain !== null && !isPublicName(suffix))
    return '请在域名的 DNS 中添加一条 A 或 AAAA 记录，指向服务器的公网 IP';
  if (customDomain !== null) return `请在域名的 DNS 中添加一条 CNAME 记录，指向 ${suffix}`;
  return `请管理员检查 ${prefix === null ? suffix : `*.${suffix}`} 的 DNS 记录`;
}

function checkRelay(device: DeviceRow, mapping: MappingRow): Outcome | undefined {
  if (!mapping.enabled) return { ok: false, step: 'relay', hint: '这条映射已停用，请先启用它' };
  if (device.allowance?.isValid === false)
    return { ok: false, step: 'relay', hint: '设备没有有效的套餐，请先续费或绑定套餐' };
  if (mapping.isOverPlanLimit)
    return { ok: false, step: 'relay', hint: '映射数量超出套餐，这一条已暂停：请升级套餐，或停用不用的映射' };
  if (deviceStateOf(device).offlineReason !== 'relay_lost') return undefined;
  return { ok: false, step: 'relay', hint: '中继与控制台失去联系，请管理员检查它是否在运行' };
}

function checkAgent(device: DeviceRow): Outcome | undefined {
  switch (deviceStateOf(device).state) {
    case 'online':
      return undefined;
    case 'disabled':
      return { ok: false, step: 'agent', hint: '设备已停用，请先启用它' };
    case 'never_connected':
      return { ok: false, step: 'agent', hint: '设备还没有连接过，请在设备上安装并运行客户端' };
    case 'offline':
      return { ok: false, step: 'agent', hint: '设备不在线，请检查它是否开机、能否上网，客户端是否在运行' };
  }
}

async function checkTarget(
  deps: CheckConnectionDeps,
  device: DeviceRow,
  mapping: MappingRow,
  caller: Omit<VisitInput, 'target'>,
): Promise<Outcome> {
  const result = await deps.probe({ relayIds: device.relayIds, deviceId: device.id, mappingId: mapping.id });
  // No step has failed: another server process has the connection to that relay.
  if (result === undefined) throw new AppError('server.unavailable');
  const target = { ...mapping, target: formatTarget(mapping) };
  const warning = warningOf(result, target);
  const trial = { ...caller, target: { relayIds: device.relayIds, deviceId: device.id } };
  if (isVisited(mapping, result)) return { ...(await visitOutcome(deps, mapping, trial)), ...warning };
  const { frpcProxy: proxy, port } = mapping;
  const hint = proxy === null ? connectionHint(result, target) : proxyHint(result, { proxy, port });
  const greeted = mapping.kind === 'tcp' && result.ok ? await greetedBy(deps, mapping, trial) : undefined;
  return {
    ok: result.ok,
    step: result.step,
    hint: greeted === undefined ? hint : greetedHint(hint, greeted),
    ...warning,
  };
}

async function visitOutcome(...args: Parameters<typeof checkVisits>): Promise<Outcome> {
  try {
    return await checkVisits(...args);
  } catch (error) {
    if (!(error instanceof VisitNotMadeError)) throw error;
    return notMadeVerdict(error.why);
  }
}

function warningOf({ weakness, wasFull }: ProbeResult, target: { target: string }): Pick<Outcome, 'warning'> {
  if (wasFull === true) return { warning: fullWarning };
  return weakness === undefined ? {} : { warning: weaknessWarning(weakness, target) };
}
