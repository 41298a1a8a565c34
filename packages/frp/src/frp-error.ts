/** The peer sent bytes that are not the frp protocol, or that exceed a limit; its connection must be closed. */
export class FrpError extends Error {
  override readonly name = 'FrpError';
}
