import type { TLSSocket } from 'node:tls';
import type { DeviceRoutes } from '@tongtu/contract';
import {
  AeadCipher,
  answerClientHello,
  CfbCipher,
  type ControlCipher,
  encodeFrpMessage,
  encodeV2Frame,
  FrpError,
  type FrpMessageOf,
  type OpenedStream,
  StreamOpening,
  transcriptHash,
  v2FrameType,
} from '@tongtu/frp';
import {
  type ConnectionOrigin,
  type Mux,
  MuxClosedError,
  type MuxStream,
  type MuxStreamEvents,
  ProtocolError,
} from '@tongtu/tunnel';
import { connectionEnds, connectionOrigin } from '../net/connection-ends.ts';
import type { DeviceSession } from '../tunnels/device-session.ts';
import { openDeviceMux } from '../tunnels/open-device-mux.ts';
import { CodedConnection } from './coded-connection.ts';
import { ControlStream } from './control-stream.ts';
import { type Admission, type FrpcAdmissionDeps, judgeLogin } from './frpc-admission.ts';
import { FrpcLink } from './frpc-link.ts';
import type { FrpcProxies, FrpcProxiesDeps } from './frpc-proxies.ts';
import { LanProxies } from './lan-proxies.ts';
import { RelayPeer } from './peers/relay-peer.ts';
import { openSecretVisit, type SecretVisitor } from './open-secret-visit.ts';
import type { Refusal } from './refusals.ts';
import { SecretVisit } from './secret-visit.ts';
import { TomlProxies } from './toml-proxies.ts';

/** What frpc learns as the version of its server. */
const SERVER_VERSION = '0.70.0';
/** A device without its proxy `lan` is online all the same, so that its owner learns what is missing. */
const PROXY_WAIT_MS = 3_000;
/** Streams whose first message is not complete yet. */
const MAX_OPENING_STREAMS = 64;
const REFUSAL_TIMEOUT_MS = 2_000;

type Opened = { stream: MuxStream; opened: OpenedStream };

/** Leads a connection of frpc to a device session, or ends it. `onAdmitted` is called at most once. */
export class FrpcHandshake {
  readonly #deps: FrpcAdmissionDeps;
  readonly #publicIp: string;
  readonly #onAdmitted: () => void;
  readonly #mux: Mux;
  #timer: NodeJS.Timeout;
  #openingStreams = 0;
  #hasLogin = false;
  #link: FrpcLink | undefined;
  #session: DeviceSession | undefined;
  readonly #peers: RelayPeer[] = [];
  readonly #origin: ConnectionOrigin | undefined;
  /** After a login that is fresh or proven. */
  #visitor: SecretVisitor | undefined;

  constructor(socket: TLSSocket, publicIp: string, deps: FrpcAdmissionDeps, onAdmitted: () => void) {
    this.#deps = deps;
    this.#publicIp = publicIp;
    this.#origin = connectionOrigin(connectionEnds(socket));
    this.#onAdmitted = onAdmitted;
    const { carrier, loginTimer } = openDeviceMux(socket, deps, {
      extraStreams: MAX_OPENING_STREAMS,
      onStream: (stream) => this.#onStream(stream),
      onClose: (error) => this.#onClose(error),
    });
    this.#mux = carrier.mux;
    this.#timer = loginTimer;
  }

  #onStream(stream: MuxStream): MuxStreamEvents {
    const opening = new StreamOpening();
    const mayOpen = this.#openingStreams < (this.#link === undefined ? 1 : MAX_OPENING_STREAMS);
    const lose = () => {
      this.#openingStreams--;
      stream.reset();
    };
    if (mayOpen) this.#openingStreams++;
    else stream.reset();
    return {
      onData: (chunk) => {
        stream.consumed(chunk.length);
        const opened = opening.push(chunk);
        if (opened === undefined) return;
        this.#openingStreams--;
        this.#onOpened({ stream, opened });
      },
      onEnd: lose,
      onReset: lose,
      onDrain() {},
    };
  }

  #onOpened({ stream, opened }: Opened): void {
    const { message } = opened;
    stream.events = { onData() {}, onEnd: () => stream.reset(), onReset() {}, onDrain() {} };
    if (message.type === 'Login' && !this.#hasLogin) {
      this.#hasLogin = true;
      // An error of the relay ends only this connection.
      this.#onLogin({ stream, opened }, message).catch((error: unknown) => this.#mux.close(error as Error));
    } else if (message.type === 'NewWorkConn' && message.run_id === this.#link?.runId) this.#link.work.add(stream);
    else if (message.type === 'NewVisitorConn' && this.#visitor !== undefined)
      this.#onVisitor({ stream, opened }, this.#visitor, message);
    // Its run id proves nothing: a work connection counts only on the connection of its own login.
    else if (message.type === 'NewWorkConn') stream.reset();
    else throw new FrpError(`a stream that begins with ${message.type}`);
  }

  /** frpc as the visitor of a stcp proxy, of its own or of another frpc. */
  #onVisitor({ stream, opened }: Opened, visitor: SecretVisitor, message: FrpMessageOf<'NewVisitorConn'>): void {
    if (opened.rest.length > 0) throw new FrpError('a visitor that does not wait for its answer');
    const { limits, monotonicMs } = this.#deps;
    const { proxy_name: name, use_encryption: isEncrypted, use_compression: isCompressed } = message;
    const visit = openSecretVisit(this.#deps, visitor, message);
    const error = typeof visit === 'string' ? visit : '';
    stream.write(encodeFrpMessage(opened.wire, 'NewVisitorConnResp', { proxy_name: name, error }));
    if (typeof visit === 'string') return stream.end();
    const { secret: token, pool, stream: upstream, record } = visit;
    const isCoded = isEncrypted || isCompressed;
    const connection = isCoded ? new CodedConnection(stream, { token, isEncrypted, isCompressed }) : stream;
    new SecretVisit(connection, upstream, { meter: pool.meter, record, idleMs: limits.rawIdleMs, monotonicMs });
  }

  async #onLogin({ stream, opened }: Opened, login: FrpMessageOf<'Login'>): Promise<void> {
    await this.#deps.whenReady();
    if (this.#mux.isClosed) return;
    const judged = await judgeLogin(this.#deps, login, opened.wire);
    if (this.#mux.isClosed) return;
    if (judged.refusal !== undefined) return this.#refuse({ stream, opened }, judged.refusal, judged.deviceId);
    this.#welcome({ stream, opened }, login, judged.admission);
  }

  #welcome({ stream, opened }: Opened, login: FrpMessageOf<'Login'>, { device, token, isFresh }: Admission): void {
    const { wire } = opened;
    const cipher = answerHello(stream, opened, token);
    // Never frpc's own: the key of its login does not cover it.
    const runId = this.#deps.createRunId();
    const visitor = { device, user: login.user, address: this.#publicIp, origin: this.#origin };
    const link = new FrpcLink({
      mux: this.#mux,
      wire,
      user: login.user,
      token,
      runId,
      facts: factsOf(login, this.#publicIp),
      dialTimeoutMs: this.#deps.limits.frpcDialTimeoutMs,
      monotonicMs: this.#deps.monotonicMs,
      createProxies: (proxies) => this.#createProxies(proxies, device),
      onUsable: () => this.#admit(device, link),
      onTargetsChanged: (mappingId) => {
        for (const peer of this.#peers) peer.sendHttpRules(mappingId);
      },
    });
    const control = new ControlStream(stream, {
      wire,
      cipher,
      onMessage: (message) => {
        if (!link.isProven) this.#onProven(visitor, link, token);
        link.onMessage(message);
      },
      onEnd: () => this.#mux.close(),
    });
    this.#link = link;
    if (isFresh) this.#visitor = visitor;
    stream.isUrgent = true;
    stream.events = control;
    stream.write(encodeFrpMessage(wire, 'LoginResp', { version: SERVER_VERSION, run_id: runId }));
    clearTimeout(this.#timer);
    if (isFresh) this.#admitLater(device, link);
    else this.#timer = setTimeout(() => this.#mux.close(), this.#deps.limits.loginTimeoutMs);
    link.start(control);
    if (opened.rest.length > 0) control.onData(opened.rest);
  }

  /** A message that only who has the token can have sealed for this connection. No recorded login leads here. */
  #onProven(visitor: SecretVisitor, link: FrpcLink, token: string): void {
    link.isProven = true;
    this.#visitor = visitor;
    this.#deps.loginTimes.noteProven(visitor.device.deviceId, token);
    clearTimeout(this.#timer);
    this.#admitLater(visitor.device, link);
  }

  /** Without a proxy. By wire v2, what has proven nothing must not replace a device's connection. */
  #admitLater(device: DeviceRoutes, link: FrpcLink): void {
    this.#timer = setTimeout(() => {
      if (!link.isProven && this.#deps.sessions.findLink(device.deviceId) !== undefined)
        return this.#admitLater(device, link);
      this.#admit(device, link);
    }, PROXY_WAIT_MS);
  }

  #createProxies(proxies: FrpcProxiesDeps, { deviceId, frpcLogin }: DeviceRoutes): FrpcProxies {
    if (frpcLogin === undefined) return new LanProxies(proxies);
    const { routes, applyProxy } = this.#deps;
    return new TomlProxies(proxies, {
      apply: (proxy, keptMappingIds) => applyProxy({ deviceId, proxy, keptMappingIds }),
      routes: () => routes.findDevice(deviceId)?.routes ?? [],
    });
  }

  #admit(device: DeviceRoutes, link: FrpcLink): void {
    if (this.#session !== undefined || this.#mux.isClosed) return;
    clearTimeout(this.#timer);
    const { routes, sessions, log } = this.#deps;
    // The route may have changed since the login.
    const current = routes.findDevice(device.deviceId);
    if (current?.frpcToken !== device.frpcToken || current?.isSuspended === true) return this.#mux.close();
    this.#session = sessions.admit(current ?? device, link);
    this.#onAdmitted();
    this.#joinPeers(current ?? device, link);
    log.info({ deviceId: device.deviceId, ...link.facts }, 'device connected');
  }

  /** frpc keeps one connection: this process is the device at the others. */
  #joinPeers(device: DeviceRoutes, link: FrpcLink): void {
    const { peerPorts, relayPin, sessions, monotonicMs } = this.#deps;
    const { deviceId } = device;
    for (const port of peerPorts) {
      const probe = (mappingId: number) => sessions.probe(deviceId, mappingId);
      const httpRules = () => link.httpRules;
      this.#peers.push(new RelayPeer({ port, relayPin, device, link, httpRules, probe, monotonicMs }));
    }
  }

  /** frpc shows the reason in its log. The time limit also ends a connection that does not take it. */
  #refuse({ stream, opened }: Opened, { reason, text, kind }: Refusal, deviceId?: number): void {
    const { wire } = opened;
    this.#deps.log.info({ publicIp: this.#publicIp, reason }, 'frpc refused');
    if (kind !== undefined)
      this.#deps.attempts.note({ kind, ip: this.#publicIp, ...(deviceId !== undefined && { deviceId }) });
    answerHello(stream, opened, '');
    stream.write(encodeFrpMessage(wire, 'LoginResp', { version: SERVER_VERSION, error: text }));
    stream.end();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#mux.close(), REFUSAL_TIMEOUT_MS);
  }

  #onClose(error: Error | undefined): void {
    clearTimeout(this.#timer);
    this.#session?.onConnectionClosed();
    for (const peer of this.#peers.splice(0)) peer[Symbol.dispose]();
    if (error === undefined) return;
    const publicIp = this.#publicIp;
    const isBadInput = error instanceof FrpError || error instanceof ProtocolError;
    const deviceId = this.#session?.deviceId;
    if (isBadInput) {
      const { message: reason } = error;
      if (deviceId === undefined) this.#deps.attempts.note({ kind: 'frpc_protocol', ip: publicIp });
      this.#deps.abuse.report('frpc', { ip: publicIp, reason, ...(deviceId !== undefined && { deviceId }) });
    }
    // Errors of the peer or the network are expected; any other is a bug that the mux has caught.
    const isOurs = !(isBadInput || error instanceof MuxClosedError || 'code' in error);
    this.#deps.log[isOurs ? 'error' : 'debug']({ err: error, deviceId, publicIp }, 'connection of frpc ended');
  }
}

/** Sends the ServerHello of wire v2, and makes the cipher of what follows the answer to the login. */
function answerHello(stream: MuxStream, { wire, clientHello }: OpenedStream, token: string): ControlCipher {
  if (wire === 'v1') return new CfbCipher(token);
  if (clientHello === undefined) throw new FrpError('a login without a ClientHello');
  const serverHello = answerClientHello(clientHello);
  stream.write(encodeV2Frame(v2FrameType.serverHello, serverHello));
  return new AeadCipher(token, transcriptHash(clientHello, serverHello), 'server');
}

function factsOf({ version, os, arch }: FrpMessageOf<'Login'>, publicIp: string) {
  const plain = (text: string) => text.replaceAll(/[^\w.+-]/g, '').slice(0, 30);
  return { publicIp, agentVersion: `frpc ${plain(version)}`.trim(), platform: `${plain(os)} ${plain(arch)}`.trim() };
}
