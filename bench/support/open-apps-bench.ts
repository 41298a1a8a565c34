import { appCookieNames, CloudApp, CloudAppOpened } from '@tongtu/contract';
import { must } from '@tongtu/base';
import { ApiClient } from '../../e2e/support/clients/api-client.ts';
import { enrolDevice } from '../../e2e/support/product/agent.ts';
import { type Product, startProduct } from '../../e2e/support/product/product.ts';

/** How much a run measures. */
export type AppsEffort = {
  rounds: number;
  megabytes: number;
  sshSessions: number;
  smallFiles: number;
  kinds: readonly string[];
};

/** A browser's session: its address, and the headers that the gateway wants with each request. */
export type BenchSession = { url: string; headers: Record<string, string> };

export type AppsBench = AsyncDisposable & {
  effort: AppsEffort;
  product: Product;
  owner: ApiClient;
  createApp: (app: Record<string, unknown>, client?: ApiClient) => Promise<CloudApp>;
  openSession: (app: CloudApp, client?: ApiClient) => Promise<BenchSession>;
  /** A port of the relay that leads through the same device to a port there. */
  openPort: (targetPort: number) => Promise<number>;
};

/** Starts the product and a device. */
export async function openAppsBench(effort: AppsEffort): Promise<AppsBench> {
  await using parts = new AsyncDisposableStack();
  const product = parts.use(await startProduct({ args: ['--no-local-agent'] }));
  const owner = new ApiClient(product);
  const { token } = await owner.logIn();
  const { agent, device } = await enrolDevice(product, owner, { token, name: 'bench' });
  parts.use(agent.child);
  const running = parts.move();
  return {
    effort,
    product,
    owner,
    async createApp(app, client = owner) {
      const body = { router: device.id, host: '127.0.0.1', ...app };
      const reply = await client.call('POST', '/api/user/cloud_apps/', body);
      if (reply.status !== 201) throw new Error(`the app was answered ${reply.status}: ${reply.text}`);
      return CloudApp.parse(reply.json);
    },
    async openSession(app, client = owner) {
      const reply = await client.call('POST', `/api/user/cloud_apps/${app.id}/sessions/`);
      if (reply.status !== 201) throw new Error(`the session was answered ${reply.status}: ${reply.text}`);
      const cookies = reply.headers['set-cookie'] ?? [];
      const cookie = must(
        cookies.find((each) => each.startsWith(`${appCookieNames.http}=`))?.split(';')[0],
        'a cookie',
      );
      const { path } = CloudAppOpened.parse(reply.json);
      return { url: product.consoleUrl + path, headers: { cookie, origin: product.consoleUrl } };
    },
    async openPort(targetPort) {
      const target = `tcp://127.0.0.1:${targetPort}`;
      const mapping = await owner.createMapping({ router: device.id, kind: 'tcp', target, policy: 'public' });
      return must(mapping.port, 'a port');
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
