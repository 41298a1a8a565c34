/** The peer broke the protocol; the connection it came over is not worth keeping. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
