/** The peer violated the protocol; its connection must be closed. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
