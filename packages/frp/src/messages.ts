/**
 * The messages of frp between frpc and a server, in both wire versions. Field names are frp's own. Empty fields are
 * omitted on the wire, and unknown fields are ignored, so that frpc may be newer.
 */
import { z } from 'zod';

const text = (maxLength: number) => z.string().max(maxLength).default('');
/** Their length is limited by that of the message. What is too much for us is refused in words, with the proxy alone. */
const texts = z.array(z.string()).nullish();
const fields = z.record(z.string(), z.string()).nullish();

const Login = z.object({
  version: text(64),
  hostname: text(256),
  os: text(64),
  arch: text(64),
  user: text(128),
  privilege_key: text(128),
  timestamp: z.number().int().default(0),
  run_id: text(64),
  pool_count: z.number().int().default(0),
});

const LoginResp = z.object({ version: text(64), run_id: text(64), error: text(4096) });

const NewProxy = z.object({
  proxy_name: text(512),
  proxy_type: text(64),
  use_encryption: z.boolean().default(false),
  use_compression: z.boolean().default(false),
  remote_port: z.number().int().default(0),
  custom_domains: texts,
  subdomain: text(512),
  locations: texts,
  http_user: text(256),
  http_pwd: text(256),
  host_header_rewrite: text(512),
  headers: fields.describe('set in requests'),
  response_headers: fields,
  route_by_http_user: text(256),
  group: text(256),
  group_key: text(256),
  sk: text(512),
  allow_users: texts,
});

const NewProxyResp = z.object({ proxy_name: text(512), remote_addr: text(256), error: text(4096) });
const CloseProxy = z.object({ proxy_name: text(512) });
const NewWorkConn = z.object({ run_id: text(64), privilege_key: text(128), timestamp: z.number().int().default(0) });
const StartWorkConn = z.object({
  proxy_name: text(512),
  error: text(4096),
  /** Of the visitor's connection. frpc needs address and port of the source for its PROXY header. */
  src_addr: text(64),
  src_port: z.number().int().default(0),
  dst_addr: text(64),
  dst_port: z.number().int().default(0),
});
const Ping = z.object({ privilege_key: text(128), timestamp: z.number().int().default(0) });
const Pong = z.object({ error: text(4096) });

const UdpAddress = z.object({ IP: text(64), Port: z.number().int().default(0), Zone: text(64) });
const UDPPacket = z.object({
  c: text(65_536).describe('the datagram, base64'),
  l: UdpAddress.nullish(),
  r: UdpAddress.nullish().describe('names the conversation; it comes back in the answer'),
});

const NewVisitorConn = z.object({
  run_id: text(64),
  proxy_name: text(512),
  sign_key: text(128),
  timestamp: z.number().int().default(0),
  use_encryption: z.boolean().default(false),
  use_compression: z.boolean().default(false),
});
const NewVisitorConnResp = z.object({ proxy_name: text(512), error: text(4096) });

/** Of a visitor of type xtcp, which asks for a way past the server, and what it is answered. */
const NatHoleVisitor = z.object({ transaction_id: text(128), proxy_name: text(512) });
const NatHoleResp = z.object({ transaction_id: text(128), error: text(4096) });

const Nothing = z.object({});

/** Every message of frp, in the order of the ids of wire v2, which begin with 1. `byte` is the type in wire v1. */
export const messageTypes = {
  Login: { byte: 'o', schema: Login },
  LoginResp: { byte: '1', schema: LoginResp },
  NewProxy: { byte: 'p', schema: NewProxy },
  NewProxyResp: { byte: '2', schema: NewProxyResp },
  CloseProxy: { byte: 'c', schema: CloseProxy },
  NewWorkConn: { byte: 'w', schema: NewWorkConn },
  ReqWorkConn: { byte: 'r', schema: Nothing },
  StartWorkConn: { byte: 's', schema: StartWorkConn },
  NewVisitorConn: { byte: 'v', schema: NewVisitorConn },
  NewVisitorConnResp: { byte: '3', schema: NewVisitorConnResp },
  Ping: { byte: 'h', schema: Ping },
  Pong: { byte: '4', schema: Pong },
  UDPPacket: { byte: 'u', schema: UDPPacket },
  NatHoleVisitor: { byte: 'i', schema: NatHoleVisitor },
  NatHoleClient: { byte: 'n', schema: Nothing },
  NatHoleResp: { byte: 'm', schema: NatHoleResp },
  NatHoleSid: { byte: '5', schema: Nothing },
  NatHoleReport: { byte: '6', schema: Nothing },
} as const satisfies Record<string, { byte: string; schema: z.ZodType }>;

export type MessageType = keyof typeof messageTypes;
/** A message as it is received: omitted fields have their empty value. */
export type FrpMessage = {
  [Type in MessageType]: { type: Type } & z.output<(typeof messageTypes)[Type]['schema']>;
}[MessageType];
export type FrpMessageOf<Type extends MessageType> = Extract<FrpMessage, { type: Type }>;
/** The fields of a message to send. */
export type FrpFields<Type extends MessageType> = z.input<(typeof messageTypes)[Type]['schema']>;
