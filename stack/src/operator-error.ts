/** Something only the person who runs the product can mend. The message is Chinese and says what to do. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
