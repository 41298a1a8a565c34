import type { Logger } from 'pino';
import type { Db, OpenDb } from './db/driver.ts';
import { deriveKey } from './derive-key.ts';
import { registerAccountRoutes } from './features/account-data/index.ts';
import { registerAlertRoutes, runAlerts } from './features/alerts/index.ts';
import { registerApiTokenRoutes } from './features/api-tokens/index.ts';
import { registerCaptchaRoutes } from './features/captcha/index.ts';
import { registerDevelopmentRoutes } from './features/development/index.ts';
import { registerInvitationRoutes } from './features/invitations/index.ts';
import { registerLoginRoutes, type LoginRoutesDeps } from './features/login/index.ts';
import { registerManageUserRoutes } from './features/manage-users/index.ts';
import { registerPhoneRoutes } from './features/phone/index.ts';
import { placeOf } from './features/places/index.ts';
import { registerRegistrationRoutes, type RegistrationMethods } from './features/registration/index.ts';
import { registerRoleRoutes } from './features/roles/index.ts';
import { registerSecondFactorRoutes } from './features/second-factor/index.ts';
import { registerSessionRoutes } from './features/sessions/index.ts';
import { openSsoHost, redeemAtOtherHost, redeemOwnCode, type RedeemCode, SSO_PATH } from './features/sso/index.ts';
import { registerTrustedBrowserRoutes } from './features/trusted-browsers/index.ts';
import { createUser, registerUserRoutes } from './features/users/index.ts';
import { logInByWechat, type WechatLoginInput } from './features/wechat/index.ts';
import type { App } from './http/create-app.ts';
import { resolveAll } from './http/public-address.ts';
import { openMessages } from './open-messages.ts';
import type { ServerConfig } from './server-config.ts';

type AccountFeatures = {
  config: ServerConfig;
  open: OpenDb;
  csrfKey: Buffer;
  log: Logger;
  parts: AsyncDisposableStack;
};

/** Registers the routes of accounts and logins. `endSsoWaits` ends the requests of phones and consoles that wait for each other. */
export async function registerAccountFeatures(
  app: App,
  { config, open, csrfKey, log, parts }: AccountFeatures,
): Promise<{ endSsoWaits: () => void }> {
  const { db } = open;
  const { publicUrl, billing } = config;
  const { sealingKey } = config.secrets;
  const { development, ...senders } = openMessages(config.messages, log);
  const { phoneRegions, smsPerDay } = config.messages;
  const codes = { db, log, smsPerDay, codeKey: deriveKey(sealingKey, 'codes'), ...senders };
  if (development) registerDevelopmentRoutes(app, development);
  registerCaptchaRoutes(app, codes);
  registerPhoneRoutes(app, { ...codes, csrfKey, publicUrl, sealingKey, phoneRegions });
  const { endWaits: endSsoWaits, redeemCode, ...wechat } = await openSso(app, { config, open, log, parts });
  registerLoginRoutes(app, { db, csrfKey, publicUrl, phoneRegions, ...wechat });
  registerApiTokenRoutes(app, { db });
  registerSessionRoutes(app, { db });
  registerTrustedBrowserRoutes(app, { db });
  const account = {
    ...codes,
    sealingKey,
    recoveryKey: deriveKey(sealingKey, 'recovery codes'),
    csrfKey,
    publicUrl,
    billing,
    redeemWechatCode: redeemCode,
  };
  registerUserRoutes(app, account);
  registerSecondFactorRoutes(app, account);
  registerAccountRoutes(app, account);
  registerManageUserRoutes(app, account);
  registerRoleRoutes(app, account);
  registerInvitationRoutes(app, account);
  registerRegistrationRoutes(app, { ...codes, registrationMethods: registrationMethodsOf(config) });
  const alerts = {
    ...codes,
    sealingKey,
    consoleUrl: publicUrl,
    allowedAddresses: config.messages.alertAddresses,
    resolve: resolveAll,
  };
  registerAlertRoutes(app, alerts);
  parts.use(runAlerts(alerts));
  return { endSsoWaits };
}

/** What an account can be made with by somebody who was not invited. */
export function registrationMethodsOf({ messages, wechat }: ServerConfig): RegistrationMethods {
  return [...(messages.sms ? (['phone'] as const) : []), ...(wechat ? (['wechat'] as const) : [])];
}

type SsoParts = Pick<LoginRoutesDeps, 'logInByWechat'> & { endWaits: () => void; redeemCode?: RedeemCode };

/** Opens the single sign-on host and the login by WeChat, if they are configured. */
async function openSso(app: App, { config, open, log, parts }: Omit<AccountFeatures, 'csrfKey'>): Promise<SsoParts> {
  if (!config.wechat) return { endWaits: () => undefined };
  const { db } = open;
  const { sealingKey } = config.secrets;
  const create = async (tx: Db, aff: string | undefined) => await createUser(tx, { sealingKey, aff });
  const wechatLogin = (redeemCode: RedeemCode) => ({
    redeemCode,
    logInByWechat: async (input: WechatLoginInput) =>
      await logInByWechat({ db, createUser: create, redeemCode }, input),
  });
  if (config.wechat.type === 'other-host') {
    return { endWaits: () => undefined, ...wechatLogin(redeemAtOtherHost(config.wechat)) };
  }
  const url = `${config.publicUrl}${SSO_PATH}`;
  const deps = { ...open, log, key: deriveKey(sealingKey, 'sso'), url, placeOf };
  const { endWaits } = parts.use(await openSsoHost(app, deps, config.wechat));
  return { endWaits, ...wechatLogin(redeemOwnCode) };
}
