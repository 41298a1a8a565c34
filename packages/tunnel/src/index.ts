export { connectMux } from './connect-mux.ts';
export { DatagramDecoder, encodeDatagram } from './datagrams.ts';
export { WindowBudget } from './flow-control.ts';
export { keyFingerprint } from './key-fingerprint.ts';
export { encodeMessage, MessageDecoder } from './message-codec.ts';
export {
  AGENT_FEATURES,
  type AgentFeature,
  AgentMessage,
  AllowedTarget,
  ReceivedRelayMessage,
  loginProof,
  MAX_MESSAGE_BYTES,
  RelayMessage,
  TunnelAddress,
} from './messages.ts';
export { MuxClosedError, TooManyStreamsError } from './mux-errors.ts';
export { defaultMuxLimits, type MuxLimits, type MuxOptions } from './mux-options.ts';
export { Mux } from './mux.ts';
export {
  decodeOpenRequest,
  decodeOpenStatus,
  encodeOpenRequest,
  type OpenKind,
  type OpenRequest,
  openRequestLength,
  openStatus,
  type OpenStatus,
} from './open-request.ts';
export { ProtocolError } from './protocol-error.ts';
export type { MuxStream, MuxStreamEvents } from './stream.ts';
export { PROTOCOL_VERSION } from './version.ts';
