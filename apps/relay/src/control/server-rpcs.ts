import { AppError, type DeviceRoutes, type FrpcProxy, isErrorCode, type RelayToServer } from '@tongtu/contract';
import type { VisitorProof } from '../access/visitor-proof.ts';
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
export type FrpcLoginRequest = { user: string; key: string; timestamp: number; hostName: string };
export type FrpcProxyRequest = { deviceId: number; proxy: FrpcProxy; keptMappingIds: number[] };
export type RpcReply = ServerMessage<
  'enrol_result' | 'ticket_result' | 'mark_result' | 'frpc_login_result' | 'frpc_proxy_result'
>;
/** The device with the mappings of the proxy, or why there are none, for the log of frpc. */
export type FrpcProxyResult = ServerMessage<'frpc_proxy_result'>['result'];
export type ClientToMark = { mappingId: number; ip: string; userAgent: string };

/** What the relay asks of the server. Every call throws AppError with the server's code, or `server.unavailable`. */
export class ServerRpcs {
  readonly #send: (message: RelayToServer) => boolean;
  readonly #enrolments: PendingRpcs<DeviceRoutes>;
  readonly #redemptions: PendingRpcs<VisitorProof>;
  readonly #marks: PendingRpcs<undefined>;
  readonly #frpcLogins: PendingRpcs<DeviceRoutes>;
  readonly #frpcProxies: PendingRpcs<FrpcProxyResult>;

  /** `send` returns false when the message did not leave. */
  constructor(timeoutMs: number, send: (message: RelayToServer) => boolean) {
    this.#send = send;
    this.#enrolments = new PendingRpcs(timeoutMs);
    this.#redemptions = new PendingRpcs(timeoutMs);
    this.#marks = new PendingRpcs(timeoutMs);
    this.#frpcLogins = new PendingRpcs(timeoutMs);
    this.#frpcProxies = new PendingRpcs(timeoutMs);
  }

  enrol(request: EnrolRequest): Promise<DeviceRoutes> {
    return this.#enrolments.call((correlation) => this.#send({ type: 'enrol', correlation, ...request }));
  }

  redeemTicket(request: TicketRedemption): Promise<VisitorProof> {
    return this.#redemptions.call((correlation) => this.#send({ type: 'redeem_ticket', correlation, ...request }));
  }

  async markClient(client: ClientToMark): Promise<void> {
    await this.#marks.call((correlation) => this.#send({ type: 'mark_client', correlation, ...client }));
  }

  logInFrpc(login: FrpcLoginRequest): Promise<DeviceRoutes> {
    return this.#frpcLogins.call((correlation) => this.#send({ type: 'frpc_login', correlation, ...login }));
  }

  applyFrpcProxy(request: FrpcProxyRequest): Promise<FrpcProxyResult> {
    return this.#frpcProxies.call((correlation) => this.#send({ type: 'frpc_proxy', correlation, ...request }));
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
      case 'frpc_proxy_result':
        return this.#frpcProxies.resolve(reply.correlation, reply.result);
    }
  }

  /** The connection is lost: no reply will come. */
  rejectAll(): void {
    for (const pending of [this.#enrolments, this.#redemptions, this.#marks, this.#frpcLogins, this.#frpcProxies])
      pending.rejectAll();
  }
}

function errorOf(code: string): AppError {
  return new AppError(isErrorCode(code) ? code : 'server.internal');
}
