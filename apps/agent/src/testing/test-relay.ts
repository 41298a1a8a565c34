import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer, type TLSSocket } from 'node:tls';
import { freePort } from '@tongtu/base/testing/free-port';
import {
  AgentMessage,
  encodeMessage,
  JOIN_PROTOCOL,
  loginProof,
  MessageDecoder,
  type Mux,
  MuxCarrier,
  type RelayMessage,
} from '@tongtu/tunnel';
import { listenOnLoopback } from './lan-service.ts';
import { acceptJoin, TestChannels } from './test-channels.ts';
import { selfSigned, type TestCertificate } from './self-signed.ts';

type MessageOf<Type extends AgentMessage['type']> = Extract<AgentMessage, { type: Type }>;
export type Login = { hello: MessageOf<'hello'>; login: MessageOf<'login'>; isSignatureValid: boolean };

export const TEST_UID = '0123456789ab';
export const welcome: RelayMessage = { type: 'welcome', uid: TEST_UID, epoch: 1, heartbeatMs: 5000, targets: [] };

/** One agent connection that has logged in, seen from the relay. */
export class TestSession {
  readonly mux: Mux;
  readonly channels: TestChannels;
  readonly login: Login;
  readonly closed: Promise<void>;
  readonly #socket: TLSSocket;
  readonly #send: (message: RelayMessage) => void;
  readonly #received: AgentMessage[] = [];
  #onMessage: () => void = () => {};

  constructor(socket: TLSSocket, channels: TestChannels, login: Login, send: (message: RelayMessage) => void) {
    this.mux = channels.mux(0);
    this.channels = channels;
    this.login = login;
    this.#socket = socket;
    this.#send = send;
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
  }

  send(message: RelayMessage): void {
    this.#send(message);
  }

  receive(message: AgentMessage): void {
    this.#received.push(message);
    this.#onMessage();
  }

  async nextMessage(): Promise<AgentMessage> {
    for (;;) {
      const message = this.#received.shift();
      if (message !== undefined) return message;
      await new Promise<void>((resolve) => (this.#onMessage = resolve));
    }
  }

  /** Cuts the connection like a network failure: no bye, no GoAway. */
  cut(): void {
    this.#socket.destroy();
  }
}

/** The server's bootstrap call and a relay's tunnel port on real sockets. The test decides how logins are answered. */
export class TestRelay {
  readonly certificate: TestCertificate;
  serverUrl = '';
  tunnelPort = 0;
  /** The answer of the bootstrap call: JSON, an HTTP status or a web page. */
  bootstrap: Record<string, unknown> | number | string = 500;
  bootstrapHeaders: Record<string, string> = {};
  bootstrapCount = 0;
  /** The answers to polls of a binding, in order; the last one repeats. A number: an HTTP status. */
  bindingStates: { state: 'pending' | 'confirmed' | 'ended'; account: string }[] | number = [];
  /** The devices that asked for a binding, in order; each gets the next code. */
  readonly offers: unknown[] = [];
  onLogin: (login: Login) => RelayMessage = () => welcome;
  /** True: agents get sessions of several connections, which survive the loss of each. */
  hasChannels = false;
  readonly #channels = new Map<string, TestChannels>();
  readonly #sockets = new Set<TLSSocket>();
  readonly #sessions: TestSession[] = [];
  #onSession: () => void = () => {};
  #http: HttpServer;
  #tunnel: TlsServer;

  /** With the certificate of another relay it is a second relay of the same server. */
  static async start(certificate?: TestCertificate): Promise<TestRelay> {
    const relay = new TestRelay(certificate ?? (await selfSigned('tongtu-tunnel')));
    await relay.listenTunnel(await freePort()); // the same port after restarts
    relay.bootstrap = relay.truth();
    relay.serverUrl = `http://127.0.0.1:${await listenOnLoopback(relay.#http)}`;
    return relay;
  }

  private constructor(certificate: TestCertificate) {
    this.certificate = certificate;
    this.#http = createServer((request, response) => {
      if (request.url?.startsWith('/api/agent/binding/')) return void this.#answerBinding(request, response);
      this.bootstrapCount++;
      if (typeof this.bootstrap === 'number')
        return void response.writeHead(this.bootstrap, this.bootstrapHeaders).end('no');
      if (typeof this.bootstrap === 'string')
        return void response.writeHead(200, { 'content-type': 'text/html' }).end(this.bootstrap);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(this.bootstrap));
    });
    this.#tunnel = this.#createTunnel();
  }

  static codeOf(offerNumber: number): string {
    return String(offerNumber).padStart(22, 'c');
  }

  async #answerBinding(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('content-type', 'application/json');
    if (typeof this.bindingStates === 'number') return void response.writeHead(this.bindingStates).end('no');
    if (request.method !== 'POST') {
      const [next] = this.bindingStates.length > 1 ? this.bindingStates.splice(0, 1) : this.bindingStates;
      return void response.end(JSON.stringify(next));
    }
    // Like the server, which refuses requests of other origins.
    const { origin, host } = request.headers;
    if (origin !== undefined && new URL(origin).host !== host) return void response.writeHead(403).end('no');
    this.offers.push(await readJson(request));
    const expires_at = '2026-11-22T00:00:00.000Z';
    response.end(JSON.stringify({ code: TestRelay.codeOf(this.offers.length), expires_at }));
  }

  truth(): Record<string, unknown> {
    return {
      protocol: 1,
      tunnel_host: '127.0.0.1',
      tunnel_port: this.tunnelPort,
      relay_pin: this.certificate.pin,
      agent_version: '0.1.0',
      agent_sha256: '0'.repeat(64),
    };
  }

  /** Opens the tunnel port anew, as after a restart of the relay. */
  async listenTunnel(port = this.tunnelPort): Promise<void> {
    this.#tunnel = this.#createTunnel();
    await new Promise<void>((resolve) => this.#tunnel.listen(port, '127.0.0.1', resolve));
    this.tunnelPort = (this.#tunnel.address() as AddressInfo).port; // TCP: never a path
  }

  async stopTunnel(): Promise<void> {
    const closed = new Promise((resolve) => this.#tunnel.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    this.forgetSessions();
  }

  /** Like a relay that was started anew. */
  forgetSessions(): void {
    for (const channels of this.#channels.values()) channels.closeAll();
    this.#channels.clear();
  }

  async nextSession(): Promise<TestSession> {
    for (;;) {
      const session = this.#sessions.shift();
      if (session !== undefined) return session;
      await new Promise<void>((resolve) => (this.#onSession = resolve));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopTunnel();
    await new Promise((resolve) => {
      this.#http.close(resolve);
      this.#http.closeAllConnections();
    });
  }

  #createTunnel(): TlsServer {
    return createTlsServer({ ...this.certificate, minVersion: 'TLSv1.3', ALPNProtocols: [JOIN_PROTOCOL] }, (socket) =>
      this.#accept(socket),
    );
  }

  #accept(socket: TLSSocket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {}); // connections are cut on purpose here
    socket.once('close', () => this.#sockets.delete(socket));
    if (socket.alpnProtocol === JOIN_PROTOCOL) return acceptJoin(socket, (id) => this.#channels.get(id));
    const channels = new TestChannels();
    const decoder = new MessageDecoder(AgentMessage);
    const nonce = randomBytes(32).toString('base64url');
    let hello: MessageOf<'hello'> | undefined;
    let session: TestSession | undefined;
    const carrier = new MuxCarrier({
      role: 'server',
      monotonicMs: () => performance.now(),
      isResumable: this.hasChannels,
      onClose: () => {},
      ...(this.hasChannels && { onDisconnect: () => {} }),
      onStream: (control) => {
        const send = (message: RelayMessage) => control.write(encodeMessage(message));
        return {
          onData: (chunk) => {
            control.consumed(chunk.length);
            for (const message of decoder.push(chunk)) {
              if (message.type === 'hello') {
                hello = message;
                send({ type: 'challenge', protocol: 1, nonce });
              } else if (message.type === 'login' && hello !== undefined) {
                const login = { hello, login: message, isSignatureValid: this.#verify(hello, message, nonce) };
                const answer = this.onLogin(login);
                if (answer.type !== 'welcome') {
                  send(answer);
                  continue;
                }
                if (this.hasChannels) this.#channels.set(channels.session.id, channels);
                send(this.hasChannels ? { ...answer, session: channels.session } : answer);
                session = new TestSession(socket, channels, login, send);
                this.#sessions.push(session);
                this.#onSession();
              } else session?.receive(message);
              if (message.type === 'bye') channels.closeAll();
            }
          },
          onEnd() {},
          onReset() {},
          onDrain() {},
        };
      },
    });
    channels.add(0, carrier);
    carrier.attach(socket);
  }

  #verify(hello: MessageOf<'hello'>, login: MessageOf<'login'>, nonce: string): boolean {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: hello.publicKey }, format: 'jwk' });
    const proof = loginProof(nonce, this.certificate.pin);
    return verify(null, proof, key, Buffer.from(login.signature, 'base64url'));
  }
}
