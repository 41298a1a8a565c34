/** The peer violated the protocol; its connection must be closed. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** The mux is closed, or no more streams may be opened on it. */
export class MuxClosedError extends Error {
  override readonly name = 'MuxClosedError';
}

/** The limit of open streams is reached. */
export class TooManyStreamsError extends Error {
  override readonly name = 'TooManyStreamsError';
}
