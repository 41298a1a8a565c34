import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The content of the QR code. */
export const SCAN_URL = 'https://sso.example.com/scan/another-secret-than-state';
export const CODE = 'code-of-another-host';
export const SECRET = 'e2e-secret-of-another-host';

type Call = { path: string; headers: IncomingHttpHeaders; body: string };

export type OtherSsoHost = AsyncDisposable & {
  url: string;
  /** The calls that it received, in order. */
  calls: Call[];
  /** Reports what a person does on the phone. */
  reportPhone(status: 'scanned' | 'confirmed'): void;
};

/** A fake single sign-on host that implements docs/wechat.md for one login, on another origin than the console. */
export async function startOtherSsoHost(): Promise<OtherSsoHost> {
  const calls: Call[] = [];
  const steps: { timestamp: number; status: string }[] = [];
  let onStep = Promise.withResolvers<void>();

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost');
    calls.push({ path: pathname, headers: req.headers, body: await text(req) });
    const script = (value: object) => {
      res.setHeader('content-type', 'application/javascript');
      res.end(`/**/${searchParams.get('callback')}(${JSON.stringify(value)});`);
    };
    const isConfirmed = steps.some(({ status }) => status === 'confirmed');
    switch (pathname) {
      case '/sso/wechat/login':
        return script(isConfirmed ? { status: 'ok', code: CODE } : { status: 'pending', image: SCAN_URL });
      case '/sso/wechat/logout':
        return script({});
      case '/sso/events': {
        const isNew = ({ timestamp }: { timestamp: number }) => timestamp > Number(searchParams.get('since_time'));
        while (!steps.some(isNew) && !res.destroyed) await onStep.promise;
        const category = searchParams.get('category');
        const events = steps.filter(isNew).map(({ timestamp, status }) => {
          return { timestamp, category, data: { status }, id: String(timestamp) };
        });
        res.setHeader('access-control-allow-origin', req.headers.origin ?? 'null');
        return void res.setHeader('content-type', 'application/json').end(JSON.stringify({ events }));
      }
      case '/sso/wechat/identity': {
        const identity = { appid: 'wx1', openid: 'o1', unionid: 'u1', nickname: '另一台主机的用户' };
        return void res.setHeader('content-type', 'application/json').end(JSON.stringify(identity));
      }
      default:
        res.writeHead(404).end();
    }
  }

  const server = createServer((req, res) => void answer(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}/sso`,
    calls,
    reportPhone(status) {
      steps.push({ timestamp: Date.now(), status });
      onStep.resolve();
      onStep = Promise.withResolvers();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
