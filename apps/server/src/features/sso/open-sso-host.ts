import type { App } from '../../http/create-app.ts';
import type { SsoHostDeps } from './sso-host-deps.ts';
import { registerSsoHost, type SsoHost } from './sso-host.ts';
import { startFakeWechat } from './fake-wechat/start-fake-wechat.ts';
import { createWechatApp } from './phone/wechat-app.ts';
import type { OwnHostConfig } from './wechat-config.ts';

/** Starts the single sign-on host with the configured WeChat: the real one or the fake. */
export async function openSsoHost(
  app: App,
  deps: Omit<SsoHostDeps, 'wechat'>,
  config: OwnHostConfig,
): Promise<SsoHost> {
  if (config.type === 'app') {
    const { type: _type, ...wechat } = config;
    return await registerSsoHost(app, { ...deps, wechat: createWechatApp({ ...wechat, isFake: false }) });
  }
  await using parts = new AsyncDisposableStack();
  const fakeWechat = parts.use(await startFakeWechat());
  deps.log.warn({ url: fakeWechat.app.openUrl }, 'development: a fake WeChat runs on this machine');
  const host = parts.use(await registerSsoHost(app, { ...deps, wechat: createWechatApp(fakeWechat.app) }));
  const running = parts.move();
  return { endWaits: host.endWaits, [Symbol.asyncDispose]: async () => await running.disposeAsync() };
}
