/** A message this relay will not pass on. `status` is what a visitor is told when the fault is in their request. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly status: 400 | 405 | 414 | 431 | 501 | 505;
  /** With 431: it is the cookies that are too long, and a browser can be told to drop them. */
  readonly isByCookies: boolean;
  constructor(
    reason: string,
    status: HttpRefusal['status'] = 400,
    { isByCookies = false }: { isByCookies?: boolean } = {},
  ) {
    super(reason);
    this.status = status;
    this.isByCookies = isByCookies;
  }
}
