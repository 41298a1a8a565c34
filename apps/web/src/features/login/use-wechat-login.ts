import type { LoginReply } from '@tongtu/contract';
import { useApi } from '../../api/index.ts';
import type { WechatCode } from './wechat-flow.ts';

/** Logs in with a code of the single sign-on host. A WeChat user without an account gets one. */
export function useWechatLogin(aff: string | undefined): (wechat: WechatCode) => Promise<LoginReply> {
  const { call } = useApi();
  return (wechat) => call('POST /custom/login/', { body: { method: 'wechat', ...wechat, accepted_terms: true, aff } });
}
