import type { TLSSocket } from 'node:tls';
import {
  type AgentMessage,
  type DiagnosisReport,
  defaultMuxLimits,
  encodeMessage,
  ReceivedRelayMessage,
  loginProof,
  MessageDecoder,
  MuxCarrier,
  type MuxStream,
  PROTOCOL_VERSION,
  type RelayMessage,
  WindowBudget,
} from '@tongtu/tunnel';
import { Forwarder, MAX_FORWARDS } from '../forward/forwarder.ts';
import type { Discovery } from '../discovery/discovery.ts';
import { runProbe } from '../probe/probe.ts';
import type { SentBytes } from '../line/relay-connections.ts';
import { reasonOf } from '../net/reason-of.ts';
import { featuresOf, type Upgrader } from '../upgrade/create-upgrader.ts';
import type { Waker } from '../wake/create-waker.ts';
import type { Identity } from '../state/identity.ts';
import { Channels, type Exchange } from './channels.ts';
import type { ConnectOptions } from './connect-relay.ts';

const HANDSHAKE_TIMEOUT_MS = 15_000;
const BYE_WAIT_MS = 500;
/** A little less than three, so that a silent connection is closed before the third heartbeat. */
const DEAD_AFTER_HEARTBEATS = 2.9;
const MIN_HEARTBEAT_MS = 100;
const MAX_HEARTBEAT_MS = 60_000;
const MAX_PROBES = 8;
/** How long open streams may continue on a connection that is being left, and how often they are counted. */
const RETIRE_WITHIN_MS = 30_000;
const RETIRE_CHECK_MS = 200;

type MessageOf<Type extends RelayMessage['type']> = Extract<RelayMessage, { type: Type }>;
export type Welcome = MessageOf<'welcome'>;

/** Why a session ended. `lost` means another try; the others carry the relay's code. */
export type SessionEnd =
  | { type: 'lost'; reason: string }
  | { type: 'refused'; code: string; retry: boolean }
  | { type: 'bye'; code: string; retryAfterMs: number | null }
  | { type: 'unsupported'; relayProtocol: number };

export type SessionDeps = {
  identity: Identity;
  relayPin: string;
  credentials: { token: string; name: string } | undefined;
  agentVersion: string;
  platform: string;
  monotonicMs: () => number;
  wallClockMs: () => number;
  random: () => number;
  /** Opens another connection to the same relay. */
  connect: (options: ConnectOptions) => Promise<TLSSocket>;
  wake: Waker;
  discovery: Discovery;
  /** Undefined: this agent cannot upgrade itself. */
  upgrade: Upgrader | undefined;
  diagnose: () => Promise<DiagnosisReport>;
  /** What was sent to this relay since the last call, if the system says it. */
  takeSent: () => Promise<SentBytes>;
  onWelcome: (welcome: Welcome) => void;
  /** The relay is silent for so long that the device counts as offline, and then goes on with the same session. */
  onAway: () => void;
  onBack: () => void;
  onExchanged: (exchange: Exchange) => void;
};

/**
 * One session with the relay, from hello to its end, over one connection or several. It owns the forwarder of its streams
 * and closes it.
 */
export class RelaySession {
  readonly ended: Promise<SessionEnd>;
  readonly #deps: SessionDeps;
  readonly #login: MuxCarrier;
  /** Undefined before the welcome, and with a relay that knows only one connection. */
  #channels: Channels | undefined;
  readonly #windowBudget = new WindowBudget(defaultMuxLimits.maxGrownWindowBytes);
  readonly #control: MuxStream;
  readonly #forwarder = new Forwarder();
  readonly #probes = new AbortController();
  #probeCount = 0;
  #phase: 'hello' | 'login' | 'welcome' | 'ended' = 'hello';
  #timer: NodeJS.Timeout;
  #heartbeat: NodeJS.Timeout | undefined;
  #retirement: NodeJS.Timeout | undefined;
  #settle!: (end: SessionEnd) => void;

  constructor(socket: TLSSocket, deps: SessionDeps) {
    this.#deps = deps;
    this.ended = new Promise((resolve) => (this.#settle = resolve));
    this.#login = this.#createCarrier(0);
    this.#login.attach(socket);
    const decoder = new MessageDecoder(ReceivedRelayMessage);
    this.#control = this.#login.mux.openStream({
      onData: (chunk) => {
        this.#control.consumed(chunk.length);
        this.#decode(decoder, chunk);
      },
      onEnd: () => this.#end({ type: 'lost', reason: 'closed' }),
      onReset: () => this.#end({ type: 'lost', reason: 'reset' }),
      onDrain: () => {},
    });
    this.#control.isUrgent = true;
    this.#timer = setTimeout(() => this.#end({ type: 'lost', reason: 'timeout' }), HANDSHAKE_TIMEOUT_MS);
    const { identity, agentVersion, platform } = deps;
    const { publicKey } = identity;
    const features = featuresOf({ canUpgrade: deps.upgrade !== undefined });
    this.#send({ type: 'hello', protocol: PROTOCOL_VERSION, agentVersion, platform, publicKey, features });
  }

  /** Sends bye and waits briefly for the relay to close the connection. */
  async stop(): Promise<void> {
    if (this.#phase === 'ended') return;
    this.#send({ type: 'bye' });
    const wait = setTimeout(() => this.#end({ type: 'lost', reason: 'stopped' }), BYE_WAIT_MS);
    await this.ended;
    clearTimeout(wait);
  }

  /** Stops when no stream is open any more, or after RETIRE_WITHIN_MS. */
  retire(): void {
    const untilMs = this.#deps.monotonicMs() + RETIRE_WITHIN_MS;
    this.#retirement ??= setInterval(() => {
      if (this.#forwarder.openCount === 0 || this.#deps.monotonicMs() >= untilMs) void this.stop();
    }, RETIRE_CHECK_MS);
  }

  #createCarrier(channel: number): MuxCarrier {
    return new MuxCarrier({
      role: 'client',
      monotonicMs: this.#deps.monotonicMs,
      isResumable: true,
      windowBudget: this.#windowBudget,
      limits: { maxStreams: MAX_FORWARDS },
      onStream: (stream) => {
        this.#channels?.onStream();
        return this.#forwarder.accept(stream);
      },
      onDisconnect: (reason) => {
        if (this.#channels === undefined) this.#end({ type: 'lost', reason: reasonOf(reason) });
        else this.#channels.onDisconnected(channel);
      },
      onClose: (error) => {
        if (channel === 0) this.#end({ type: 'lost', reason: reasonOf(error) });
        else this.#channels?.onClosed(channel);
      },
    });
  }

  #send(message: AgentMessage): void {
    if (this.#control.isWritable) this.#control.write(encodeMessage(message));
  }

  #decode(decoder: MessageDecoder<ReceivedRelayMessage>, chunk: Buffer): void {
    try {
      for (const message of decoder.push(chunk)) this.#receive(message);
    } catch (error) {
      this.#end({ type: 'lost', reason: reasonOf(error) });
    }
  }

  #receive(message: ReceivedRelayMessage): void {
    switch (message.type) {
      case 'unknown':
        return;
      case 'challenge':
        return this.#answerChallenge(message);
      case 'welcome':
        return this.#begin(message);
      case 'refused':
        return this.#end(message);
      case 'bye':
        return this.#end(message);
      case 'targets':
        return this.#forwarder.setTargets(message.targets);
      case 'channels':
        return this.#channels?.want(message.wanted, message.renew);
      case 'probe':
        return void this.#probe(message);
      case 'wake':
        return void this.#wake(message);
      case 'upgrade':
        return void this.#upgrade(message);
      case 'discover':
        return void this.#discover(message);
      case 'diagnose':
        return void this.#diagnose(message);
      case 'measure':
        return void this.#measure();
    }
  }

  #answerChallenge(challenge: MessageOf<'challenge'>): void {
    if (this.#phase !== 'hello') return this.#end({ type: 'lost', reason: 'protocol' });
    if (challenge.protocol !== PROTOCOL_VERSION) {
      return this.#end({ type: 'unsupported', relayProtocol: challenge.protocol });
    }
    this.#phase = 'login';
    const proof = loginProof(challenge.nonce, this.#deps.relayPin);
    this.#send({ type: 'login', signature: this.#deps.identity.sign(proof), ...this.#deps.credentials });
  }

  #begin(welcome: Welcome): void {
    if (this.#phase !== 'login') return this.#end({ type: 'lost', reason: 'protocol' });
    this.#phase = 'welcome';
    clearTimeout(this.#timer);
    // Set synchronously: the first visitor's stream may be in the same packet.
    this.#forwarder.setTargets(welcome.targets);
    const heartbeatMs = Math.min(Math.max(welcome.heartbeatMs, MIN_HEARTBEAT_MS), MAX_HEARTBEAT_MS);
    if (welcome.session === undefined) {
      this.#login.mux.stopKeeping();
      this.#watch(heartbeatMs);
    } else {
      this.#channels = new Channels(this.#login, {
        ...this.#deps,
        session: welcome.session,
        heartbeatMs,
        createCarrier: (channel) => this.#createCarrier(channel),
        hasStreams: () => this.#forwarder.openCount > 0,
        onLost: (reason) => this.#end({ type: 'lost', reason }),
      });
    }
    this.#deps.onWelcome(welcome);
  }

  #watch(heartbeatMs: number): void {
    this.#heartbeat = setInterval(() => {
      this.#login.mux.ping().catch(() => {}); // it rejects when the mux closes, which onClose reports
    }, heartbeatMs);
    this.#endWhenSilent(heartbeatMs * DEAD_AFTER_HEARTBEATS);
  }

  /** Timed from the last byte: a check once per heartbeat would be up to one heartbeat late. */
  #endWhenSilent(limitMs: number): void {
    const leftMs = this.#login.mux.lastReceivedAtMs + limitMs - this.#deps.monotonicMs();
    if (leftMs <= 0) return this.#end({ type: 'lost', reason: 'silent' });
    this.#timer = setTimeout(() => this.#endWhenSilent(limitMs), Math.ceil(leftMs));
  }

  async #probe(request: MessageOf<'probe'>): Promise<void> {
    if (this.#phase !== 'welcome' || this.#probeCount >= MAX_PROBES) return;
    this.#probeCount++;
    const result = await runProbe(request, {
      isAllowed: this.#forwarder.isAllowed({ ...request, transport: request.protocol === 'udp' ? 'udp' : 'tcp' }),
      monotonicMs: this.#deps.monotonicMs,
      signal: this.#probes.signal,
    });
    this.#probeCount--;
    if (this.#phase === 'welcome') this.#send({ type: 'probe_result', correlation: request.correlation, ...result });
  }

  async #wake({ correlation, mac }: MessageOf<'wake'>): Promise<void> {
    if (this.#phase !== 'welcome') return;
    const result = await this.#deps.wake(mac);
    if (this.#phase === 'welcome') this.#send({ type: 'probe_result', correlation, ...result });
  }

  async #upgrade({ correlation, offer }: MessageOf<'upgrade'>): Promise<void> {
    if (this.#phase !== 'welcome' || this.#deps.upgrade === undefined) return;
    const result = await this.#deps.upgrade(offer);
    if (this.#phase === 'welcome') this.#send({ type: 'probe_result', correlation, ...result });
  }

  async #discover({ correlation }: MessageOf<'discover'>): Promise<void> {
    if (this.#phase !== 'welcome') return;
    await this.#deps.discovery.run((report) => {
      if (this.#phase === 'welcome') this.#send({ type: 'discovery', correlation, report });
    }, this.#probes.signal);
  }

  async #diagnose({ correlation }: MessageOf<'diagnose'>): Promise<void> {
    if (this.#phase !== 'welcome') return;
    const report = await this.#deps.diagnose().catch(() => undefined); // the relay then says that there was no answer
    if (report !== undefined && this.#phase === 'welcome') this.#send({ type: 'diagnosis', correlation, report });
  }

  async #measure(): Promise<void> {
    if (this.#phase !== 'welcome') return;
    const sent = await this.#deps.takeSent();
    if (this.#phase === 'welcome') this.#send({ type: 'measured', ...sent });
  }

  #end(end: SessionEnd): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'ended';
    clearTimeout(this.#timer);
    clearInterval(this.#heartbeat);
    clearInterval(this.#retirement);
    this.#probes.abort();
    this.#forwarder.close();
    this.#channels?.close();
    if (!this.#login.mux.isClosed) this.#login.mux.close();
    this.#login.detach();
    this.#settle(end);
  }
}
