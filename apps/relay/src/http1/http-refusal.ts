/** A message this relay will not pass on. `status` is what a visitor is told when the fault is in their request. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly status: 400 | 414 | 431 | 501 | 505;
  constructor(reason: string, status: 400 | 414 | 431 | 501 | 505 = 400) {
    super(reason);
    this.status = status;
  }
}
