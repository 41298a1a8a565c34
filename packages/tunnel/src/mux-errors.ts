/** The mux is closed, or no more streams may be opened on it. */
export class MuxClosedError extends Error {
  override readonly name = 'MuxClosedError';
}

/** As many streams as the limits allow are open already. */
export class TooManyStreamsError extends Error {
  override readonly name = 'TooManyStreamsError';
}
