/** An error that only the operator can fix. The message is Chinese and says what to do. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
