import { isHttp2Greeting } from '@tongtu/base';
import type { ProbeResult, Route } from '@tongtu/contract';
import type { RefusedStatus, TargetEvents, TargetStream } from '../upstream/target-stream.ts';
import type { FrpcFailure } from './frpc-target.ts';

const TIMEOUT_MS = 8_000;
const MAX_STATUS_LINE_BYTES = 4_096;

type Step = ProbeResult['step'];
/** What our agent answers in the same case. */
const failures: Record<FrpcFailure, { step: Step; seen: string }> = {
  refused: { step: 'tcp', seen: 'refused' },
  unreachable: { step: 'tcp', seen: 'unreachable' },
  timeout: { step: 'tcp', seen: 'timeout' },
  notFound: { step: 'dns_lan', seen: 'not_found' },
  notAllowed: { step: 'dns_lan', seen: 'not_allowed' },
  noProxy: { step: 'agent', seen: 'no_proxy' },
  notServed: { step: 'agent', seen: 'frpc_not_served' },
};
const tlsFailures: Partial<Record<RefusedStatus, string>> = {
  tlsFailed: 'tls_failed',
  certificateInvalid: 'certificate_invalid',
  timeout: 'timeout',
};

export type ProbeHooks = {
  onConnected: () => void;
  onSecured: () => void;
  onFailed: (failure: FrpcFailure) => void;
};
export type ProbeDeps = {
  monotonicMs: () => number;
  open: (route: Route, events: TargetEvents, hooks: ProbeHooks) => TargetStream;
};

/** Does what a visitor's request needs, as our agent's probe does in the LAN. Always answers. */
export function probeTarget({ monotonicMs, open }: ProbeDeps, route: Route): Promise<ProbeResult> {
  const startedAtMs = monotonicMs();
  return new Promise((resolve) => {
    const stream: { target?: TargetStream } = {};
    let step: Step = 'tcp';
    let failure: FrpcFailure | undefined;
    let text = '';
    const finish = (ok: boolean, seen: string, at: Step = step) => {
      clearTimeout(timer);
      stream.target?.reset();
      resolve({ ok, step: at, ms: Math.round(monotonicMs() - startedAtMs), seen });
    };
    const timer = setTimeout(() => finish(false, 'timeout'), TIMEOUT_MS);
    const isHttp = route.kind === 'http' || route.kind === 'https';
    const ask = () => {
      step = 'http';
      setImmediate(() => stream.target?.write(requestOf(route)));
    };
    const hooks: ProbeHooks = {
      onConnected() {
        if (!isHttp) return setImmediate(() => finish(true, 'connected'));
        step = route.kind === 'https' ? 'tls' : 'http';
        if (route.kind === 'http') ask();
      },
      onSecured: ask,
      onFailed: (seen) => (failure = seen),
    };
    const lose = (seen: string) =>
      failure === undefined ? finish(false, seen) : finish(false, failures[failure].seen, failures[failure].step);
    const events: TargetEvents = {
      onRefused(status) {
        if (failure === undefined) return finish(false, tlsFailures[status] ?? 'refused', 'tls');
        lose('refused');
      },
      onData(chunk) {
        stream.target?.consumed(chunk.length);
        // A service that speaks first, as SSH does.
        if (!isHttp) return finish(true, 'connected');
        text += chunk.toString('latin1');
        if (isHttp2Greeting(text)) return finish(true, 'http2');
        if (!text.includes('\n') && text.length < MAX_STATUS_LINE_BYTES) return;
        const status = /^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1];
        finish(status !== undefined, status === undefined ? 'not_http' : `status_${status}`);
      },
      onEnd: () => lose(text === '' ? 'closed' : 'not_http'),
      onReset: () => lose('closed'),
      onDrain() {},
    };
    stream.target = open(route, events, hooks);
  });
}

function requestOf({ kind, targetHost, targetPort }: Route): Buffer {
  const name = targetHost.includes(':') ? `[${targetHost}]` : targetHost;
  const host = targetPort === (kind === 'https' ? 443 : 80) ? name : `${name}:${targetPort}`;
  return Buffer.from(`GET / HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: Tongtu-Probe\r\nConnection: close\r\n\r\n`);
}
