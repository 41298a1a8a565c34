export { FrpError } from './frp-error.ts';
export { AeadCipher } from './ciphers/aead-cipher.ts';
export { CfbCipher } from './ciphers/cfb-cipher.ts';
export type { ControlCipher } from './ciphers/control-cipher.ts';
export { answerClientHello, transcriptHash } from './ciphers/hello.ts';
export {
  connectRequest,
  type ConnectReply,
  ConnectReplyReader,
  type DialFailure,
  type ProxyTarget,
  ReasonReader,
  reasonRequest,
} from './http/connect.ts';
export { isLoginKey, loginKey } from './login-key.ts';
export type { FrpFields, FrpMessage, FrpMessageOf, MessageType } from './messages.ts';
export { encodeFrpMessage, encodeV2Frame, v2FrameType, type Wire } from './wire/frames.ts';
export { FrpMessageDecoder } from './wire/message-decoder.ts';
export { type OpenedStream, StreamOpening, V2_MAGIC } from './wire/stream-opening.ts';
export { WorkCodec, type WorkCodecOptions } from './work/work-codec.ts';
