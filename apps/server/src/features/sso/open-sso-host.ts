import type { App } from '../../http/create-app.ts';
import type { SsoHostDeps } from './sso-host-deps.ts';
import { registerSsoHost, type SsoHost } from './sso-host.ts';
import { startWechatStandIn } from './stand-in/start-wechat-stand-in.ts';
import { createWechatApp } from './phone/wechat-app.ts';
import type { OwnHostConfig } from './wechat-config.ts';

/** The single sign-on host with the WeChat that is configured. */
export async function openSsoHost(
  app: App,
  deps: Omit<SsoHostDeps, 'wechat'>,
  config: OwnHostConfig,
): Promise<SsoHost> {
  if (config.type === 'app') {
    const { type: _type, ...wechat } = config;
    return await registerSsoHost(app, { ...deps, wechat: createWechatApp({ ...wechat, isStandIn: false }) });
  }
  await using parts = new AsyncDisposableStack();
  const standIn = parts.use(await startWechatStandIn());
  deps.log.warn({ url: standIn.app.openUrl }, 'development: WeChat is imitated on this machine');
  const host = parts.use(await registerSsoHost(app, { ...deps, wechat: createWechatApp(standIn.app) }));
  const running = parts.move();
  return { endWaits: host.endWaits, [Symbol.asyncDispose]: async () => await running.disposeAsync() };
}
