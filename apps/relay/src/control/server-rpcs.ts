import {
  AppError,
  type DeviceRoutes,
  type FrpcProxy,
  type FrpWire,
  isErrorCode,
  MAX_RELAY_CALLS,
  type RelayToServer,
} from '@tongtu/contract';
import type { VisitorProof } from '../access/visitor-proof.ts';
import { CallQueue } from './call-queue.ts';
import { PendingRpcs } from './pending-rpcs.ts';
import type { ServerMessage } from './server-message.ts';

export type EnrolRequest = { token: string; publicKey: string; name: string; publicIp: string };
export type TicketRedemption = {
  ticket: string;
  host: string;
  visitorIp: string;
  userAgent: string;
  /** The verification that the browser already has: with it, the same share link does not count another browser. */
  verificationId?: number;
};
export type FrpcLoginRequest = {
  user: string;
  key: string;
  timestamp: number;
  wire: FrpWire;
  hostName: string;
  isAhead?: true;
};
/** A login of frpc whose key is right. */
export type FrpcClaim = { deviceId: number; timestamp: number; wire: FrpWire; isAhead?: true };
export type FrpcProxyRequest = { deviceId: number; proxy: FrpcProxy; keptMappingIds: number[] };
export type RpcReply = ServerMessage<
  'enrol_result' | 'ticket_result' | 'mark_result' | 'frpc_login_result' | 'frpc_claim_result' | 'frpc_proxy_result'
>;
/** The device with the mappings of the proxy, or why there are none, for the log of frpc. */
export type FrpcProxyResult = ServerMessage<'frpc_proxy_result'>['result'];
export type ClientToMark = { mappingId: number; ip: string; userAgent: string };

/** frpc waits 10 s for the answer to its login, and an older connection may have to be asked as well. */
const CLAIM_TIMEOUT_MS = 4_000;

/** Below what the server takes: a call that has timed out here may still run there. */
function queueFor(type: keyof typeof MAX_RELAY_CALLS): CallQueue {
  return new CallQueue(Math.floor((MAX_RELAY_CALLS[type] * 3) / 4));
}

/** What the relay asks of the server. Every call throws AppError with the server's code, or `server.unavailable`. */
export class ServerRpcs {
  readonly #send: (message: RelayToServer) => boolean;
  readonly #enrolments: PendingRpcs<DeviceRoutes>;
  readonly #redemptions: PendingRpcs<VisitorProof>;
  readonly #marks: PendingRpcs<undefined>;
  readonly #frpcLogins: PendingRpcs<DeviceRoutes>;
  readonly #frpcClaims: PendingRpcs<undefined>;
  readonly #frpcProxies: PendingRpcs<FrpcProxyResult>;
  readonly #queues = {
    enrol: queueFor('enrol'),
    frpcLogin: queueFor('frpc_login'),
    frpcClaim: queueFor('frpc_claim'),
    frpcProxy: queueFor('frpc_proxy'),
  };

  /** `send` returns false when the message did not leave. */
  constructor(timeoutMs: number, send: (message: RelayToServer) => boolean) {
    this.#send = send;
    this.#enrolments = new PendingRpcs(timeoutMs);
    this.#redemptions = new PendingRpcs(timeoutMs);
    this.#marks = new PendingRpcs(timeoutMs);
    this.#frpcLogins = new PendingRpcs(timeoutMs);
    this.#frpcClaims = new PendingRpcs(Math.min(timeoutMs, CLAIM_TIMEOUT_MS));
    this.#frpcProxies = new PendingRpcs(timeoutMs);
  }

  /** One that gives up is enrolled all the same: its key is known when it returns. */
  enrol(request: EnrolRequest): Promise<DeviceRoutes> {
    return this.#queues.enrol.run(() =>
      this.#enrolments.call((correlation) => this.#send({ type: 'enrol', correlation, ...request })),
    );
  }

  redeemTicket(request: TicketRedemption): Promise<VisitorProof> {
    return this.#redemptions.call((correlation) => this.#send({ type: 'redeem_ticket', correlation, ...request }));
  }

  async markClient(client: ClientToMark): Promise<void> {
    await this.#marks.call((correlation) => this.#send({ type: 'mark_client', correlation, ...client }));
  }

  logInFrpc(login: FrpcLoginRequest): Promise<DeviceRoutes> {
    return this.#queues.frpcLogin.run(() =>
      this.#frpcLogins.call((correlation) => this.#send({ type: 'frpc_login', correlation, ...login })),
    );
  }

  async claimFrpcLogin(claim: FrpcClaim): Promise<void> {
    await this.#queues.frpcClaim.run(() =>
      this.#frpcClaims.call((correlation) => this.#send({ type: 'frpc_claim', correlation, ...claim })),
    );
  }

  applyFrpcProxy(request: FrpcProxyRequest): Promise<FrpcProxyResult> {
    return this.#queues.frpcProxy.run(() =>
      this.#frpcProxies.call((correlation) => this.#send({ type: 'frpc_proxy', correlation, ...request })),
    );
  }

  onReply(reply: RpcReply): void {
    switch (reply.type) {
      case 'enrol_result': {
        const { correlation, result } = reply;
        if (result.ok) this.#enrolments.resolve(correlation, result.device);
        else this.#enrolments.reject(correlation, errorOf(result.code));
        return;
      }
      case 'ticket_result': {
        const { correlation, result } = reply;
        if (result.ok) this.#redemptions.resolve(correlation, result);
        else this.#redemptions.reject(correlation, errorOf(result.code));
        return;
      }
      case 'mark_result': {
        const { correlation, result } = reply;
        if (result.ok) this.#marks.resolve(correlation, undefined);
        else this.#marks.reject(correlation, errorOf(result.code));
        return;
      }
      case 'frpc_login_result': {
        const { correlation, result } = reply;
        if (result.ok) this.#frpcLogins.resolve(correlation, result.device);
        else this.#frpcLogins.reject(correlation, errorOf(result.code));
        return;
      }
      case 'frpc_claim_result': {
        const { correlation, result } = reply;
        if (result.ok) this.#frpcClaims.resolve(correlation, undefined);
        else this.#frpcClaims.reject(correlation, errorOf(result.code));
        return;
      }
      case 'frpc_proxy_result':
        return this.#frpcProxies.resolve(reply.correlation, reply.result);
    }
  }

  /** The connection is lost: no reply will come. */
  rejectAll(): void {
    for (const pending of [this.#enrolments, this.#redemptions, this.#marks]) pending.rejectAll();
    for (const pending of [this.#frpcLogins, this.#frpcClaims, this.#frpcProxies]) pending.rejectAll();
  }
}

function errorOf(code: string): AppError {
  return new AppError(isErrorCode(code) ? code : 'server.internal');
}
