import { hashSecret } from '../../../hash-secret.ts';
import type { SsoHostDeps } from '../sso-host-deps.ts';
import { claimScan, releaseScan, setScanIdentity } from '../sso-login-store.ts';
import { WechatError } from './wechat-error.ts';

type Failure = 'codeInvalid' | 'snapshot' | 'busy' | 'refused';

/**
 * Asks WeChat who consented, once per code: WeChat's browser may call back twice, and WeChat refuses a code the second
 * time. Stores the identity, which the confirmation page then shows. Returns why it failed, or undefined.
 */
export async function identifyPhone(
  { db, wechat, log }: SsoHostDeps,
  { scanHash, phone, code }: { scanHash: Buffer; phone: string; code: string },
): Promise<Failure | undefined> {
  const oauthCodeHash = hashSecret(code);
  if (!(await claimScan(db, scanHash, { phoneHash: hashSecret(phone), oauthCodeHash }))) return undefined;
  try {
    const identity = await wechat.identify(code);
    await setScanIdentity(db, scanHash, oauthCodeHash, identity);
    return undefined;
  } catch (error) {
    await releaseScan(db, scanHash, oauthCodeHash);
    if (!(error instanceof WechatError)) throw error;
    const { reason } = error;
    // The operator has to fix it; WeChat's documentation explains the number.
    if (reason === 'refused') log.error({ err: error, errcode: error.errcode }, 'WeChat refuses our app');
    if (reason === 'busy') log.warn({ err: error }, 'WeChat is unreachable or busy');
    return reason === 'code' ? 'codeInvalid' : reason;
  }
}
