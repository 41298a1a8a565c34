import type { CookieHead } from './planted-cookies.ts';

/** A message that this relay does not forward. `status` is the answer when the fault is in the visitor's request. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly status: 400 | 405 | 414 | 431 | 501 | 505;
  /** With 431: the cookies are too long, and a browser can be asked to drop them. */
  readonly cookies: CookieHead | undefined;
  constructor(
    reason: string,
    status: HttpRefusal['status'] = 400,
    { cookies }: { cookies?: CookieHead | undefined } = {},
  ) {
    super(reason);
    this.status = status;
    this.cookies = cookies;
  }
}
