import { Socket } from 'node:net';
import type { DiagnosisResult, LineLoss, OfflineReason, ProbeResult, Route } from '@tongtu/contract';
import {
  type UpgradeOffer,
  AGENT_FEATURES,
  type AgentFeature,
  type AgentMessage,
  type AllowedTarget,
  type HttpRules,
  type MuxCarrier,
  type OpenRequest,
  ProtocolError,
  STAND_IN_FEATURES,
  type TunnelAddress,
} from '@tongtu/tunnel';
import type { RelayLimits } from '../config/relay-limits.ts';
import { LineWatch } from '../lines/line-watch.ts';
import { readSentLines } from '../lines/sent-lines.ts';
import { readCongestionControl, readTcpInfo } from '../tcp/tcp-info.ts';
import { openAgentTarget } from '../upstream/agent-target.ts';
import type { TargetEvents, TargetStream } from '../upstream/target-stream.ts';
import type { ControlChannel } from './control-channel.ts';
import { DeviceChannels, type DeviceChannelsOptions } from './channels/device-channels.ts';
import type { Bye, DeviceFacts, DeviceLink, Welcome } from './device-link.ts';
import { Diagnoses } from './diagnoses.ts';
import { Discoveries, type OnReport } from './discoveries.ts';
import { Probes } from './probes.ts';

/** Time for the last message to be sent. */
const BYE_TIMEOUT_MS = 2_000;

export type AgentLinkOptions = {
  /** Of the connection that has logged in. */
  carrier: MuxCarrier;
  control: ControlChannel;
  facts: DeviceFacts;
  /** What the agent's `hello` names. */
  features: readonly string[];
  /** It is a relay process that stands in for a frpc. */
  isStandIn: boolean;
  /** The addresses where the agent may connect; undefined: here only. */
  tunnels: TunnelAddress[] | undefined;
  limits: RelayLimits;
  /** For an agent with the feature `channels`. */
  channels: Pick<DeviceChannelsOptions, 'openCarrier' | 'sessions' | 'monotonicMs' | 'onFailed'>;
};

/** The session of our own agent: with an older one it is a single connection, and ends with it. */
export class AgentLink implements DeviceLink {
  facts: DeviceFacts;
  readonly features: ReadonlySet<AgentFeature>;
  readonly channels: DeviceChannels | undefined;
  onJoined: () => void = () => {};
  onEnded: (reason: OfflineReason) => void = () => {};
  onTargetsChanged: (mappingId: number) => void = () => {};
  onLine: (loss: LineLoss | undefined) => void = () => {};
  readonly #options: AgentLinkOptions;
  readonly #probes: Probes;
  readonly #discoveries: Discoveries;
  readonly #diagnoses: Diagnoses;
  /** Undefined: a stand-in, which is on this machine. */
  readonly #line: LineWatch | undefined;
  readonly #httpRules = new Map<number, HttpRules>();

  constructor(options: AgentLinkOptions) {
    const { control, limits } = options;
    this.#options = options;
    this.facts = options.facts;
    const known = options.isStandIn ? [...AGENT_FEATURES, ...STAND_IN_FEATURES] : AGENT_FEATURES;
    this.features = new Set(known.filter((feature) => options.features.includes(feature)));
    this.channels = this.#createChannels();
    this.#probes = new Probes(control, this.features, limits);
    this.#discoveries = new Discoveries(control, this.features);
    this.#diagnoses = new Diagnoses(control, this.features, limits.diagnosisTimeoutMs);
    this.#line = options.isStandIn ? undefined : this.#watchLine();
    control.events = { onMessage: (message) => this.#onMessage(message), onEnd: () => this.close() };
  }

  get streamCount(): number {
    return this.channels?.streamCount ?? this.#options.carrier.mux.streamCount;
  }

  get lastReceivedAtMs(): number {
    return this.channels?.lastReceivedAtMs ?? this.#options.carrier.mux.lastReceivedAtMs;
  }

  /** Its key identifies the device, and so never changes. */
  isLoginOf(): boolean {
    return true;
  }

  welcome(welcome: Welcome): void {
    const { control, limits, tunnels } = this.#options;
    const session = this.channels && { session: this.channels.session };
    control.send({ type: 'welcome', ...welcome, heartbeatMs: limits.heartbeatMs, tunnels, ...session });
  }

  setTargets(targets: AllowedTarget[]): void {
    this.#options.control.send({ type: 'targets', targets });
  }

  readonly openTarget = (request: OpenRequest, events: TargetEvents): TargetStream => {
    return this.channels?.open(request, events) ?? openAgentTarget(this.#options.carrier.mux, request, events);
  };

  httpRulesOf(mappingId: number): HttpRules | undefined {
    return this.#httpRules.get(mappingId);
  }

  ping(monotonicMs: number): void {
    this.#line?.measure(monotonicMs);
    const { carrier, limits, isStandIn } = this.#options;
    if (this.channels !== undefined) return this.channels.pingSilent(monotonicMs, limits.heartbeatMs);
    const { mux } = carrier;
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
    const sent = readSentLines(this.#sockets());
    return sent === undefined ? result : { ...result, sent };
  }

  settle(): void {
    this.#probes.close();
    this.#discoveries.close();
    this.#diagnoses.close();
    this.channels?.settle();
  }

  goAway(): void {
    if (this.channels === undefined) this.#options.carrier.mux.goAway();
    else this.channels.goAway();
  }

  bye(bye: Bye): void {
    const { carrier, control } = this.#options;
    const { mux } = carrier;
    control.send({ type: 'bye', ...bye });
    mux.closeWhenSent();
    setTimeout(() => mux.close(), BYE_TIMEOUT_MS).unref();
  }

  close(error?: Error): void {
    this.#options.carrier.mux.close(error);
  }

  /** The open connections of the device to this relay. */
  #sockets(): Socket[] {
    const carriers = this.channels?.carriers ?? [this.#options.carrier];
    return carriers.flatMap(({ socket }) => (socket instanceof Socket ? [socket] : []));
  }

  #createChannels(): DeviceChannels | undefined {
    const { carrier: first, control, limits, channels, isStandIn } = this.#options;
    if (isStandIn || !this.features.has('channels')) {
      // Its pings do not say what it has received.
      first.mux.stopKeeping();
      return undefined;
    }
    return new DeviceChannels({
      ...channels,
      first,
      limits,
      lostSegments: (socket) => (socket instanceof Socket ? lostSegments(socket) : 0),
      send: (message) => control.send(message),
      onJoined: ({ channel, address }) => {
        // The others may go by another family of addresses.
        if (channel === 0) this.facts = { ...this.facts, publicIp: address };
        this.onJoined();
      },
    });
  }

  #watchLine(): LineWatch {
    return new LineWatch({
      sockets: () => this.#sockets(),
      readTcpInfo,
      readCongestionControl,
      askDevice: () => {
        if (this.features.has('measure')) this.#options.control.send({ type: 'measure' });
      },
      onChange: (loss) => this.onLine(loss),
      everyMs: this.#options.limits.lineMeasureMs,
    });
  }

  #onMessage(message: AgentMessage): void {
    if (message.type === 'probe_result') {
      this.#probes.onResult(message);
    } else if (message.type === 'discovery') {
      this.#discoveries.onReport(message);
    } else if (message.type === 'diagnosis') {
      this.#diagnoses.onReport(message);
    } else if (message.type === 'measured') {
      const { sentBytes: sent, retransmittedBytes: again, congestionControl, bytesPerS: peakBytesPerS } = message;
      this.#line?.onDeviceSent({ sent, again, congestionControl, peakBytesPerS });
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

function lostSegments(socket: Socket): number {
  const info = readTcpInfo(socket);
  return info === undefined ? 0 : info.totalRetransSegments + (info.outOfOrderSegmentsIn ?? 0);
}
