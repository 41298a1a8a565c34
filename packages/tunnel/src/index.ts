export { MuxClosedError, ProtocolError, TooManyStreamsError } from './errors.ts';
export { certificatePin } from './certificate-pin.ts';
export { keyFingerprint } from './key-fingerprint.ts';
export { DatagramDecoder, encodeDatagram } from './messages/datagrams.ts';
export {
  encodeJoin,
  JOIN_PROTOCOL,
  JoinAnswer,
  JoinReader,
  JoinRequest,
  MAX_CHANNELS,
} from './messages/channel-join.ts';
export { encodeMessage, MessageDecoder } from './messages/message-codec.ts';
export {
  AGENT_FEATURES,
  type AgentFeature,
  AgentMessage,
  AllowedTarget,
  ChannelSession,
  ReceivedRelayMessage,
  loginProof,
  MAX_MESSAGE_BYTES,
  PROTOCOL_VERSION,
  RelayMessage,
  STAND_IN_FEATURES,
  TunnelAddress,
} from './messages/messages.ts';
export {
  DiagnosedAddress,
  DiagnosedConnection,
  DiagnosisReport,
  MAX_DIAGNOSED_ADDRESSES,
  MAX_DIAGNOSED_CONNECTIONS,
  MAX_DIAGNOSED_EVENTS,
  MAX_DIAGNOSIS_TEXT_LENGTH,
} from './messages/diagnosis-report.ts';
export { UpgradeOffer, upgradeProof } from './messages/upgrade-offer.ts';
export {
  DiscoveryReport,
  DiscoveryResult,
  MAX_DISCOVERED_HOSTS,
  MAX_HOSTS_PER_REPORT,
  MAX_SEEN_LIST_LENGTH,
  MAX_SEEN_TEXT_LENGTH,
  MAX_SERVICES_PER_HOST,
  SeenHost,
  SeenMdns,
  SeenService,
  SeenSsdp,
} from './messages/discovery-report.ts';
export {
  HttpRules,
  HttpTarget,
  MAX_PATH_PREFIX,
  MAX_PATH_PREFIXES,
  MAX_SET_FIELD_NAME,
  MAX_SET_FIELD_VALUE,
  MAX_SET_FIELDS,
} from './messages/http-rules.ts';
export {
  type ConnectionOrigin,
  decodeOpenRequest,
  decodeOpenStatus,
  encodeOpenRequest,
  isHttp2Kind,
  isVerifiedKind,
  type OpenKind,
  type OpenRequest,
  openRequestLength,
  openStatus,
  type OpenStatus,
} from './messages/open-request.ts';
export { type CarrierOptions, connectMux, MuxCarrier } from './mux/connect-mux.ts';
export { WindowBudget } from './mux/flow-control.ts';
export { defaultMuxLimits, type MuxLimits, type MuxOptions } from './mux/mux-options.ts';
export { Mux } from './mux/mux.ts';
export type { MuxStream, MuxStreamEvents } from './mux/stream.ts';
