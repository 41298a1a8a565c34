import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { DeviceRoutes, ProbeResult } from '@tongtu/contract';
import {
  type AgentMessage,
  certificatePin,
  connectMux,
  encodeMessage,
  type HttpRules,
  loginProof,
  MessageDecoder,
  type Mux,
  type MuxStream,
  PROTOCOL_VERSION,
  RelayMessage,
} from '@tongtu/tunnel';
import type { DeviceLink } from '../../tunnels/device-link.ts';
import { peerToken } from '../../tunnels/peer-proof.ts';
import { PeerStream } from './peer-stream.ts';

const RETRY_MS = 1_000;

export type RelayPeerDeps = {
  /** Where the other relay process takes agents, on this machine. */
  port: number;
  /** All relay processes of an installation have the same certificate for agents. */
  relayPin: string;
  device: DeviceRoutes;
  link: DeviceLink;
  /** Of all mappings that have some. */
  httpRules: () => ReadonlyMap<number, HttpRules>;
  probe: (mappingId: number) => Promise<ProbeResult>;
  monotonicMs: () => number;
};

/**
 * A frpc is connected to one relay process. At another one this process is its agent, as long as frpc is connected: that
 * process serves its visitors through this one.
 */
export class RelayPeer implements Disposable {
  readonly #deps: RelayPeerDeps;
  readonly #keys = generateKeyPairSync('ed25519');
  #mux: Mux | undefined;
  #control: MuxStream | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isWelcome = false;
  #isDisposed = false;

  constructor(deps: RelayPeerDeps) {
    this.#deps = deps;
    this.#connect();
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    if (this.#control?.isWritable === true) this.#send({ type: 'bye' });
    this.#mux?.closeWhenSent();
  }

  /**
   * The rules, or the targets behind them, have changed. Streams that the process opens by the rules before are reset until
   * it has got these.
   */
  sendHttpRules(mappingId: number): void {
    const rules = this.#deps.httpRules().get(mappingId) ?? null;
    if (this.#isWelcome && this.#control?.isWritable === true) this.#send({ type: 'http_rules', mappingId, rules });
  }

  get #publicKey(): string {
    return this.#keys.publicKey.export({ format: 'jwk' }).x ?? '';
  }

  #connect(): void {
    const { port, monotonicMs, link, relayPin } = this.#deps;
    const socket = connectTls({ host: '127.0.0.1', port, minVersion: 'TLSv1.3', rejectUnauthorized: false });
    socket.setNoDelay(true);
    socket.once('secureConnect', () => isOurs(socket, relayPin) || socket.destroy());
    this.#mux = connectMux(socket, {
      role: 'client',
      monotonicMs,
      onStream: (stream) => new PeerStream(stream, link.openTarget),
      onClose: () => this.#onClose(),
    });
    const decoder = new MessageDecoder(RelayMessage);
    const control = this.#mux.openStream({
      onData: (chunk) => {
        control.consumed(chunk.length);
        for (const message of decoder.push(chunk)) this.#onMessage(message);
      },
      onEnd: () => this.#mux?.close(),
      onReset: () => this.#mux?.close(),
      onDrain() {},
    });
    this.#control = control;
    const { agentVersion, platform } = link.facts;
    const features = [...link.features];
    this.#send({
      type: 'hello',
      protocol: PROTOCOL_VERSION,
      publicKey: this.#publicKey,
      agentVersion,
      platform,
      features,
    });
  }

  #onMessage(message: RelayMessage): void {
    const { device, link, relayPin, probe } = this.#deps;
    switch (message.type) {
      case 'challenge': {
        const signature = sign(null, loginProof(message.nonce, relayPin), this.#keys.privateKey).toString('base64url');
        const token = peerToken(device, { publicKey: this.#publicKey, relayPin });
        return this.#send({ type: 'login', signature, token, name: link.facts.publicIp });
      }
      case 'probe':
        return void this.#answer(message.correlation, probe(message.mappingId));
      case 'wake':
        return void this.#answer(message.correlation, link.wake(message.mac));
      case 'refused':
      case 'bye':
        return this.#mux?.close();
      case 'welcome':
        this.#isWelcome = true;
        for (const mappingId of this.#deps.httpRules().keys()) this.sendHttpRules(mappingId);
        return;
      case 'targets': // frpc learns none, see FrpcLink
      case 'channels':
      case 'discover':
      case 'diagnose':
      case 'measure':
      case 'upgrade': // features that no frpc has
    }
  }

  async #answer(correlation: number, probing: Promise<ProbeResult>): Promise<void> {
    const { ok, step, ms, seen } = await probing;
    const at = step === 'relay' ? 'agent' : step;
    if (this.#control?.isWritable === true) this.#send({ type: 'probe_result', correlation, ok, step: at, ms, seen });
  }

  #send(message: AgentMessage): void {
    this.#control?.write(encodeMessage(message));
  }

  #onClose(): void {
    this.#isWelcome = false;
    if (!this.#isDisposed) this.#timer = setTimeout(() => this.#connect(), RETRY_MS);
  }
}

function isOurs(socket: TLSSocket, relayPin: string): boolean {
  const { raw } = socket.getPeerCertificate();
  return raw !== undefined && certificatePin(new X509Certificate(raw)) === relayPin;
}
