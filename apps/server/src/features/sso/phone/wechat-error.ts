/**
 * Why WeChat returns no identity. `code`: the code is invalid; `snapshot`: the user only previews the page; `busy`: try
 * again later; `refused`: it does not accept our app, which the operator must fix.
 */
export type WechatReason = 'code' | 'snapshot' | 'busy' | 'refused';

// 40029 invalid code, 40163 code been used, 42003 code expired, 41008 code missing
const codeErrcodes = [40029, 40163, 42003, 41008];
// -1 system busy, 45009 and 45011 called too often
const busyErrcodes = [-1, 45009, 45011];

export class WechatError extends Error {
  override readonly name = 'WechatError';
  readonly reason: WechatReason;
  readonly errcode: number | undefined;
  constructor(reason: WechatReason, { errcode, errmsg, cause }: WechatErrorOptions = {}) {
    super(errcode === undefined ? reason : `${reason}: ${errcode} ${errmsg ?? ''}`, { cause });
    this.reason = reason;
    this.errcode = errcode;
  }
}

type WechatErrorOptions = ErrorOptions & { errcode?: number; errmsg?: string };

export function reasonOfErrcode(errcode: number): WechatReason {
  if (codeErrcodes.includes(errcode)) return 'code';
  return busyErrcodes.includes(errcode) ? 'busy' : 'refused';
}
