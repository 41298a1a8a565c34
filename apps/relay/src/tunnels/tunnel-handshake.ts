import type { TLSSocket } from 'node:tls';
import { AppError, type DeviceRoutes, type RelayAttemptKind } from '@tongtu/contract';
import {
  type AgentMessage,
  defaultMuxLimits,
  type MuxCarrier,
  MuxClosedError,
  type MuxStream,
  type MuxStreamEvents,
  PROTOCOL_VERSION,
  ProtocolError,
  type TunnelAddress,
  WindowBudget,
} from '@tongtu/tunnel';
import type { Logger } from 'pino';
import type { AbuseLog } from '../net/abuse-log.ts';
import type { DeviceAttempts } from '../net/device-attempts.ts';
import { isPassing } from '../control/passing-refusal.ts';
import type { RouteTable } from '../routes/route-table.ts';
import { AgentLink, type AgentLinkOptions } from './agent-link.ts';
import type { ChannelSessions } from './channels/channel-sessions.ts';
import { ControlChannel } from './control-channel.ts';
import type { DeviceSession } from './device-session.ts';
import type { DeviceSessions } from './device-sessions.ts';
import { createNonce, isLoginProven } from './login.ts';
import type { LoginTurns } from './login-turns.ts';
import { findPeerDevice } from './peer-proof.ts';
import { createCarrier, type DeviceMuxDeps, openDeviceMux } from './open-device-mux.ts';

export type HandshakeDeps = DeviceMuxDeps & {
  routes: RouteTable;
  sessions: DeviceSessions;
  channelSessions: ChannelSessions;
  /** Asks the server for a device of this key. Throws AppError. */
  enrol: (request: { token: string; publicKey: string; name: string; publicIp: string }) => Promise<DeviceRoutes>;
  relayPin: string;
  /** The addresses where agents may connect; undefined: here only. */
  tunnels: TunnelAddress[] | undefined;
  abuse: AbuseLog;
  attempts: DeviceAttempts;
  log: Logger;
};

type Admission = {
  logins: LoginTurns;
  /** Called at most once. */
  onAdmitted: () => void;
};

type Hello = Extract<AgentMessage, { type: 'hello' }>;
type Login = Extract<AgentMessage, { type: 'login' }>;
type State =
  | { step: 'hello' }
  | { step: 'login'; hello: Hello; nonce: string }
  | { step: 'proving' }
  | { step: 'enrolling' }
  | { step: 'over' };

/** What somebody who is adding a device learns of a refusal; the server notes those of enrolments. */
const attemptKinds: Readonly<Record<string, RelayAttemptKind>> = {
  'device.unknown': 'device_unknown',
  'user.disabled': 'device_suspended',
  'protocol.unsupported': 'protocol_unsupported',
};

const noEvents: MuxStreamEvents = { onData() {}, onEnd() {}, onReset() {}, onDrain() {} };

/** Leads a new tunnel connection to a device session, or ends it. */
export class TunnelHandshake {
  readonly #deps: HandshakeDeps;
  readonly #publicIp: string;
  readonly #carrier: MuxCarrier;
  readonly #timer: NodeJS.Timeout;
  readonly #admission: Admission;
  #control: ControlChannel | undefined;
  #state: State = { step: 'hello' };
  #session: DeviceSession | undefined;
  #link: AgentLink | undefined;

  constructor(socket: TLSSocket, publicIp: string, deps: HandshakeDeps, admission: Admission) {
    this.#deps = deps;
    this.#publicIp = publicIp;
    this.#admission = admission;
    const { carrier, loginTimer } = openDeviceMux(socket, deps, {
      extraStreams: 1,
      isResumable: true,
      onStream: (stream) => this.#onStream(stream),
      onDisconnect: (reason) => this.#onDisconnect(reason),
      onClose: (error) => this.#onClose(error),
    });
    this.#carrier = carrier;
    this.#timer = loginTimer;
  }

  #onStream(stream: MuxStream): MuxStreamEvents {
    if (this.#control !== undefined || stream.id !== 1) return refuseStream(stream);
    this.#control = new ControlChannel(stream, {
      onMessage: (message) => this.#onMessage(message),
      onEnd: () => this.#carrier.mux.close(),
    });
    return this.#control;
  }

  #onMessage(message: AgentMessage): void {
    if (message.type === 'hello' && this.#state.step === 'hello') return this.#onHello(message);
    if (message.type === 'login' && this.#state.step === 'login') {
      const { hello, nonce } = this.#state;
      this.#state = { step: 'proving' };
      // As for any message: an error of the relay ends only this tunnel.
      this.#onLogin(hello, nonce, message).catch((error: unknown) => this.#carrier.mux.close(toError(error)));
      return;
    }
    if (message.type === 'bye') return this.#carrier.mux.close();
    throw new ProtocolError(`${message.type} in step ${this.#state.step}`);
  }

  #onHello(hello: Hello): void {
    if (hello.protocol !== PROTOCOL_VERSION) return this.#refuse('protocol.unsupported', { retry: false });
    const nonce = createNonce();
    this.#state = { step: 'login', hello, nonce };
    this.#control?.send({ type: 'challenge', protocol: PROTOCOL_VERSION, nonce });
  }

  async #onLogin(hello: Hello, nonce: string, login: Login): Promise<void> {
    const { publicKey } = hello;
    const { signature } = login;
    await this.#admission.logins.take();
    if (this.#state.step !== 'proving') return; // the connection has ended
    const isProven = await isLoginProven({ publicKey, signature, nonce, relayPin: this.#deps.relayPin });
    if (this.#state.step !== 'proving') return; // the connection has ended
    if (!isProven) return this.#refuse('login.bad-signature', { retry: false });
    const { routes, relayPin } = this.#deps;
    const peer = login.token === undefined ? undefined : findPeerDevice(routes, login.token, { publicKey, relayPin });
    const device = peer ?? routes.findDeviceByKey(publicKey);
    if (device?.isSuspended === true) return this.#refuse('user.disabled', { retry: true });
    // A relay process says where its frpc is.
    const publicIp = peer === undefined ? this.#publicIp : (login.name ?? '');
    if (device !== undefined) return this.#admit(device, hello, { publicIp, isStandIn: peer !== undefined });
    if (login.token === undefined) return this.#refuseUnknown();
    this.#state = { step: 'enrolling' };
    void this.#enrol(hello, { token: login.token, name: login.name ?? '' });
  }

  /** Refuses for good, unless routes of kept devices are still missing. */
  #refuseUnknown(): void {
    if (this.#deps.routes.hasPendingDevices) this.#refuse('server.unavailable', { retry: true });
    else this.#refuse('device.unknown', { retry: false });
  }

  async #enrol(hello: Hello, { token, name }: { token: string; name: string }): Promise<void> {
    try {
      const device = await this.#deps.enrol({ token, publicKey: hello.publicKey, name, publicIp: this.#publicIp });
      if (this.#state.step !== 'enrolling') return;
      const { routes } = this.#deps;
      // The change may have arrived before, and is then at least as new as this answer.
      if (routes.findDevice(device.deviceId) === undefined) routes.putDevice(device);
      const facts = { publicIp: this.#publicIp, isStandIn: false };
      this.#admit(routes.findDevice(device.deviceId) ?? device, hello, facts);
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'server.internal';
      this.#refuse(code, { retry: isPassing(error) });
    }
  }

  #admit(device: DeviceRoutes, hello: Hello, { publicIp, isStandIn }: { publicIp: string; isStandIn: boolean }): void {
    if (this.#control === undefined || this.#carrier.mux.isClosed) return;
    clearTimeout(this.#timer);
    this.#state = { step: 'over' };
    const { agentVersion, platform } = hello;
    const facts = { publicIp, agentVersion, platform };
    const { tunnels, limits } = this.#deps;
    const { features } = hello;
    const connection = { carrier: this.#carrier, control: this.#control, channels: this.#furtherChannels() };
    this.#link = new AgentLink({ ...connection, facts, features, isStandIn, tunnels, limits });
    this.#session = this.#deps.sessions.admit(device, this.#link);
    this.#admission.onAdmitted();
    this.#deps.log.info({ deviceId: device.deviceId, ...facts }, 'device connected');
  }

  #furtherChannels(): AgentLinkOptions['channels'] {
    const { channelSessions: sessions, monotonicMs } = this.#deps;
    let budget: WindowBudget | undefined;
    return {
      sessions,
      monotonicMs,
      openCarrier: (events) => {
        // Together they may grow as much as one connection.
        budget ??= new WindowBudget(defaultMuxLimits.maxGrownWindowBytes, this.#deps.windowBudget);
        const deps = { ...this.#deps, windowBudget: budget };
        return createCarrier(deps, { ...events, extraStreams: 0, isResumable: true, onStream: refuseStream });
      },
      onFailed: (error) => this.#reportEnd(error),
    };
  }

  #onDisconnect(reason: Error | undefined): void {
    // Nobody could join what has not logged in, or what is over.
    if (this.#link?.channels === undefined) return this.#carrier.mux.close(reason);
    this.#link.channels.onDisconnect();
  }

  /** The login timeout also ends a connection that does not take this message. */
  #refuse(code: string, { retry }: { retry: boolean }): void {
    if (this.#state.step === 'over') return;
    this.#state = { step: 'over' };
    this.#deps.log.info({ publicIp: this.#publicIp, code }, 'device refused');
    const kind = attemptKinds[code];
    if (kind !== undefined) this.#deps.attempts.note({ kind, ip: this.#publicIp });
    this.#control?.send({ type: 'refused', code, retry });
    this.#carrier.mux.closeWhenSent();
  }

  #onClose(error: Error | undefined): void {
    clearTimeout(this.#timer);
    this.#state = { step: 'over' };
    if (this.#session !== undefined) this.#session.onConnectionClosed();
    if (error !== undefined) this.#reportEnd(error);
  }

  #reportEnd(error: Error): void {
    const deviceId = this.#session?.deviceId;
    if (error instanceof ProtocolError) {
      const { message: reason } = error;
      this.#deps.abuse.report('tunnel', {
        ip: this.#publicIp,
        reason,
        ...(deviceId === undefined ? {} : { deviceId }),
      });
    }
    const facts = { err: error, deviceId, publicIp: this.#publicIp };
    // Errors of the peer or the network are expected; any other is a bug that the mux has caught.
    const isOurs = !(error instanceof ProtocolError || error instanceof MuxClosedError || 'code' in error);
    this.#deps.log[isOurs ? 'error' : 'debug'](facts, 'tunnel connection ended');
  }
}

/** Agents open no stream but that of the control messages. */
function refuseStream(stream: MuxStream): MuxStreamEvents {
  stream.reset();
  return noEvents;
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
