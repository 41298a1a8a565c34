import type { Socket } from 'node:net';
import type { DiagnosisResult, OfflineReason, ProbeResult, Route } from '@tongtu/contract';
import {
  type UpgradeOffer,
  AGENT_FEATURES,
  type AgentFeature,
  type AgentMessage,
  type AllowedTarget,
  type HttpRules,
  type Mux,
  type OpenRequest,
  ProtocolError,
  STAND_IN_FEATURES,
  type TunnelAddress,
} from '@tongtu/tunnel';
import type { RelayLimits } from '../config/relay-limits.ts';
import { openAgentTarget } from '../upstream/agent-target.ts';
import type { TargetEvents, TargetStream } from '../upstream/target-stream.ts';
import type { ControlChannel } from './control-channel.ts';
import type { Bye, DeviceFacts, DeviceLink, Welcome } from './device-link.ts';
import { Diagnoses } from './diagnoses.ts';
import { Discoveries, type OnReport } from './discoveries.ts';
import { Probes } from './probes.ts';
import { readSentLines } from './sent-lines.ts';

/** Time for the last message to be sent. */
const BYE_TIMEOUT_MS = 2_000;

export type AgentLinkOptions = {
  mux: Mux;
  /** The open connections of the device to this relay. */
  sockets: () => readonly Socket[];
  control: ControlChannel;
  facts: DeviceFacts;
  /** What the agent's `hello` names. */
  features: readonly string[];
  /** It is a relay process that stands in for a frpc. */
  isStandIn: boolean;
  /** The addresses where the agent may connect; undefined: here only. */
  tunnels: TunnelAddress[] | undefined;
  limits: RelayLimits;
};

/** The tunnel of our own agent. */
export class AgentLink implements DeviceLink {
  readonly facts: DeviceFacts;
  readonly features: ReadonlySet<AgentFeature>;
  onEnded: (reason: OfflineReason) => void = () => {};
  onTargetsChanged: (mappingId: number) => void = () => {};
  readonly #options: AgentLinkOptions;
  readonly #probes: Probes;
  readonly #discoveries: Discoveries;
  readonly #diagnoses: Diagnoses;
  readonly #httpRules = new Map<number, HttpRules>();

  constructor(options: AgentLinkOptions) {
    const { control, limits } = options;
    this.#options = options;
    this.facts = options.facts;
    const known = options.isStandIn ? [...AGENT_FEATURES, ...STAND_IN_FEATURES] : AGENT_FEATURES;
    this.features = new Set(known.filter((feature) => options.features.includes(feature)));
    this.#probes = new Probes(control, this.features, limits);
    this.#discoveries = new Discoveries(control, this.features);
    this.#diagnoses = new Diagnoses(control, this.features, limits.diagnosisTimeoutMs);
    control.events = { onMessage: (message) => this.#onMessage(message), onEnd: () => this.close() };
  }

  get streamCount(): number {
    return this.#options.mux.streamCount;
  }

  get lastReceivedAtMs(): number {
    return this.#options.mux.lastReceivedAtMs;
  }

  /** Its key identifies the device, and so never changes. */
  isLoginOf(): boolean {
    return true;
  }

  welcome(welcome: Welcome): void {
    const { control, limits, tunnels } = this.#options;
    control.send({ type: 'welcome', ...welcome, heartbeatMs: limits.heartbeatMs, tunnels });
  }

  setTargets(targets: AllowedTarget[]): void {
    this.#options.control.send({ type: 'targets', targets });
  }

  readonly openTarget = (request: OpenRequest, events: TargetEvents): TargetStream => {
    return openAgentTarget(this.#options.mux, request, events);
  };

  httpRulesOf(mappingId: number): HttpRules | undefined {
    return this.#httpRules.get(mappingId);
  }

  ping(monotonicMs: number): void {
    const { mux, limits, isStandIn } = this.#options;
    // An agent pings by itself, and so shows that it lives: two pings for each heartbeat would double the traffic of idle
    // devices. A stand-in does not.
    if (!isStandIn && monotonicMs - mux.lastReceivedAtMs < limits.heartbeatMs) return;
    // Rejects when the mux closes, which ends the session.
    mux.ping().catch(() => {});
  }

  probe(route: Route): Promise<ProbeResult> {
    return this.#probes.ask(route);
  }

  wake(mac: string): Promise<ProbeResult> {
    return this.#probes.wake(mac);
  }

  upgrade(offer: UpgradeOffer): Promise<ProbeResult> {
    return this.#probes.upgrade(offer);
  }

  discover(onReport: OnReport): void {
    this.#discoveries.start(onReport);
  }

  async diagnose(): Promise<DiagnosisResult> {
    const result = await this.#diagnoses.ask();
    if (!result.ok) return result;
    const sent = readSentLines(this.#options.sockets());
    return sent === undefined ? result : { ...result, sent };
  }

  settle(): void {
    this.#probes.close();
    this.#discoveries.close();
    this.#diagnoses.close();
  }

  goAway(): void {
    this.#options.mux.goAway();
  }

  bye(bye: Bye): void {
    const { mux, control } = this.#options;
    control.send({ type: 'bye', ...bye });
    mux.closeWhenSent();
    setTimeout(() => mux.close(), BYE_TIMEOUT_MS).unref();
  }

  close(error?: Error): void {
    this.#options.mux.close(error);
  }

  #onMessage(message: AgentMessage): void {
    if (message.type === 'probe_result') {
      this.#probes.onResult(message);
    } else if (message.type === 'discovery') {
      this.#discoveries.onReport(message);
    } else if (message.type === 'diagnosis') {
      this.#diagnoses.onReport(message);
    } else if (message.type === 'http_rules' && this.#options.isStandIn) {
      if (message.rules === null) this.#httpRules.delete(message.mappingId);
      else this.#httpRules.set(message.mappingId, message.rules);
      this.onTargetsChanged(message.mappingId);
    } else if (message.type === 'bye') {
      this.onEnded('agent_stopped');
      this.close();
    } else {
      throw new ProtocolError(`${message.type} after the login`);
    }
  }
}
