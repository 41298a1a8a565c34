import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { connectTlsOver } from './connect-tls.ts';
import { dropLongChallenges } from './drop-long-challenges.ts';
import { joinSmallChunks } from './join-small-chunks.ts';
import { checkHostKey, keepHostKey } from '../session/host-keys.ts';
import type { LiveSession } from '../session/live-session.ts';
import { asHostKeyError, trustOnly } from '../session/trust-host-key.ts';

/** More connections at a time than a page's previews and downloads need would only wait for each other. */
const OPTIONS = { keepAlive: true, maxSockets: 8 };

export type TunnelAgents = { httpAgent: http.Agent; httpsAgent: https.Agent; failure(): unknown; destroy(): void };

type Target = { session: LiveSession; trustedHostKey?: string | undefined };
/** Called before the request's own listeners. */
type OnAnswer = (answer: http.IncomingMessage) => void;
type Connected = (error: Error | null, stream: Duplex) => void;

/** Agents whose connections are the session's streams, wherever a URL points. */
export function tunnelAgents(target: Target, onAnswer?: OnAnswer): TunnelAgents {
  let failure: unknown;
  const open = (): Duplex => {
    const stream = target.session.openStream().once('error', (error) => (failure = error));
    stream.allowHalfOpen = false; // a server that closes an idle connection would never answer the next request
    // What node:http calls on a socket; the stream decides these itself.
    for (const method of ['setTimeout', 'setNoDelay', 'setKeepAlive', 'ref', 'unref'])
      if (!(method in stream)) Object.assign(stream, { [method]: () => stream });
    return stream;
  };
  const httpAgent = new http.Agent(OPTIONS);
  httpAgent.createConnection = open;
  const httpsAgent = new https.Agent(OPTIONS);
  httpsAgent.createConnection = (_options: unknown, connected?: Connected) => {
    secure(target, open()).then(
      (socket) => connected?.(null, socket),
      (error: Error) => {
        failure = error;
        connected?.(error, undefined as never); // none is read beside an error
      },
    );
    return undefined;
  };
  for (const agent of [httpAgent, httpsAgent]) seeAnswersOf(agent, onAnswer);
  return {
    httpAgent,
    httpsAgent,
    /** Why the last connection failed: the client library reports its message only. */
    failure: () => failure,
    destroy: () => {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}

/** All answers, also to the requests of a library. The method is called for each request, and documented nowhere. */
function seeAnswersOf(agent: http.Agent, onAnswer: OnAnswer | undefined): void {
  type AddRequest = (request: http.ClientRequest, ...more: unknown[]) => void;
  const inner = agent as unknown as { addRequest: AddRequest };
  const addRequest = inner.addRequest.bind(agent);
  inner.addRequest = (request, ...more) => {
    request.prependOnceListener('response', (answer) => {
      joinSmallChunks(answer);
      dropLongChallenges(answer);
      onAnswer?.(answer);
    });
    addRequest(request, ...more);
  };
}

/** Most devices have a certificate of their own making: like a host key it is shown once and must stay the same. */
async function secure({ session, trustedHostKey }: Target, stream: Duplex): Promise<TLSSocket> {
  const { host } = session.facts;
  const servername = isIP(host) ? '' : host;
  let socket: TLSSocket | undefined;
  try {
    socket = await connectTlsOver(stream, { servername, rejectUnauthorized: false });
    const isSigned = servername !== '' && socket.authorized;
    if (isSigned) return socket;
    const fingerprint = `SHA256:${socket.getPeerCertificate().fingerprint256}`;
    await checkHostKey(session, fingerprint, trustOnly(trustedHostKey));
    keepHostKey(session, fingerprint); // the handshake has proven it
    return socket;
  } catch (error) {
    socket?.destroy();
    throw asHostKeyError(error);
  }
}
