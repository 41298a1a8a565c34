import { hashSecret } from '../../../hash-secret.ts';
import type { SsoHostDeps } from '../sso-host-deps.ts';
import { claimScan, releaseScan, setScanIdentity } from '../sso-login-store.ts';
import { WechatError } from './wechat-error.ts';

type Failure = 'codeInvalid' | 'snapshot' | 'busy' | 'refused';

/**
 * Asks WeChat who agreed, once for each code: WeChat's browser may call back twice, and its second answer would be that
 * the code was used. Returns why that failed, or undefined; what the confirmation page then shows is in the database.
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
    // The operator's to mend, with the number that WeChat's documents explain.
    if (reason === 'refused') log.error({ err: error, errcode: error.errcode }, 'WeChat refuses our app');
    if (reason === 'busy') log.warn({ err: error }, 'WeChat could not be asked');
    return reason === 'code' ? 'codeInvalid' : reason;
  }
}
