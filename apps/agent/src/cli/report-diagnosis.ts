import {
  type DiagnosedAddress,
  type DiagnosisReport,
  MAX_DIAGNOSED_ADDRESSES,
  MAX_DIAGNOSED_CONNECTIONS,
  MAX_DIAGNOSED_EVENTS,
  MAX_DIAGNOSIS_TEXT_LENGTH,
} from '@tongtu/tunnel';
import type { Attempt, Diagnosis } from '../diagnosis/collect-diagnosis.ts';
import { describeBbr } from './describe-line.ts';
import { describeStoredEvent } from './describe-diagnosis.ts';
import { describeReason } from './describe-reason.ts';

/** The diagnosis as the console gets it: in words, and within the limits of the message. */
export function reportDiagnosis(diagnosis: Diagnosis): DiagnosisReport {
  const { agentVersion, protocol, features, system, proxies, serverUrl, server, dns, relays, history } = diagnosis;
  return {
    agentVersion: agentVersion.slice(0, 40),
    protocol,
    features: [...features],
    system: { ...system, platform: cut(system.platform), node: system.node.slice(0, 40) },
    proxies: Object.entries(proxies)
      .slice(0, MAX_DIAGNOSED_ADDRESSES)
      .map(([name, value]) => ({ name: name.slice(0, 40), value: cut(value) })),
    serverUrl: cut(serverUrl),
    server: server === undefined ? null : addressOf(server, serverUrl),
    clockAheadSeconds: diagnosis.clockAheadSeconds ?? null,
    dns: dns.slice(0, MAX_DIAGNOSED_ADDRESSES).map((attempt) => addressOf(attempt)),
    relays: relays.slice(0, MAX_DIAGNOSED_ADDRESSES).map((attempt) => addressOf(attempt)),
    connections: diagnosis.connections.slice(0, MAX_DIAGNOSED_CONNECTIONS).map((connection) => ({
      ...connection,
      name: cut(connection.name),
      congestionControl: connection.congestionControl?.slice(0, 20) ?? null,
    })),
    bbr: bbrOf(diagnosis),
    history: history
      .slice(-MAX_DIAGNOSED_EVENTS)
      .map(({ at, ...event }) => ({ at, text: cut(describeStoredEvent(event)) })),
  };
}

function bbrOf(diagnosis: Diagnosis) {
  const { ok, text } = describeBbr(diagnosis);
  return { ok, text: cut(text) };
}

function addressOf(attempt: Attempt, serverUrl?: string): DiagnosedAddress {
  const { name, ok, ms } = attempt;
  return { name: cut(name), ok, ms, text: cut(attempt.ok ? attempt.seen : describeReason(attempt.reason, serverUrl)) };
}

function cut(text: string): string {
  return text.length <= MAX_DIAGNOSIS_TEXT_LENGTH ? text : `${text.slice(0, MAX_DIAGNOSIS_TEXT_LENGTH - 1)}…`;
}
