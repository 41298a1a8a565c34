import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { type HomeService, hostTrouble } from './service.ts';
import type { Visitor } from './visitor.ts';

/** Refused by the rule of a service, with a status and what its page says. */
type Refusal = readonly [status: number, text: string];
type Rules = {
  title: string;
  /** Of each request. */
  request?: (request: IncomingMessage) => Refusal | undefined;
  /** Of requests that change something. */
  form?: (request: IncomingMessage) => Refusal | undefined;
  socket?: (request: IncomingMessage) => Refusal | undefined;
  troubleOf?: HomeService['troubleOf'];
};

const text = (field: string | string[] | undefined) => String(field ?? '');
const originHost = ({ headers }: IncomingMessage) =>
  URL.canParse(text(headers.origin)) ? new URL(text(headers.origin)).host : '';

/** What a proxy says of the host, as code-server reads it. */
function statedHost({ headers }: IncomingMessage): string {
  const forwarded = /(?:^|[;,\s])host="?([^";,]+)/i.exec(text(headers['forwarded']))?.[1];
  return forwarded ?? (text(headers['x-forwarded-host']) || text(headers.host));
}

/** The checks of services that do not start within seconds, by what their makers write. */
const rules = {
  // Without trusted_proxies it refuses what names a visitor.
  'Home Assistant': {
    title: 'Home Assistant',
    request: ({ headers }) => (headers['x-forwarded-for'] === undefined ? undefined : [400, '400: Bad Request']),
    troubleOf: () => ({ fix: { visitor_fields: 'omit_address' }, says: '服务拒绝带访客地址' }),
  },
  'code-server': {
    title: 'code-server login',
    socket: (request) => (originHost(request) === statedHost(request) ? undefined : [403, 'Forbidden']),
  },
  // Its server actions, as app-render does it.
  'a Next.js app': {
    title: 'an app',
    form: (request) => {
      const host = text(request.headers['x-forwarded-host']) || text(request.headers.host);
      return originHost(request) === host ? undefined : [500, 'Invalid Server Actions request.'];
    },
  },
  // Its server for Node.js takes every request for one by http (security.checkOrigin).
  Astro: {
    title: 'an Astro site',
    form: ({ headers }) =>
      headers.origin === `http://${headers.host}` ? undefined : [403, 'Cross-site POST form submissions are forbidden'],
    troubleOf: ({ scheme, host }) =>
      scheme === 'https' && host === 'keep' ? { fix: { forwarded_proto: 'http' }, says: '提交表单' } : undefined,
  },
  // A development server serves addresses and localhost.
  Vite: {
    title: 'Vite App',
    request: ({ headers }) =>
      /^(?:[\d.]+|localhost)(?::\d+)?$/.test(text(headers.host))
        ? undefined
        : [403, 'Blocked request. This host is not allowed.'],
    troubleOf: ({ host }) => (host === 'keep' ? hostTrouble : undefined),
  },
} satisfies Record<string, Rules>;

export const standIns: HomeService[] = Object.entries<Rules>(rules).map(([name, its]) => ({
  name,
  start: async () => await serve(its),
  use: (visitor) => visitAll(visitor, its),
  ...(its.troubleOf && { troubleOf: its.troubleOf }),
}));

async function serve({ title, request: ofAll, form, socket: ofSocket }: Rules) {
  const server = createServer((request, response) => {
    const refusal = ofAll?.(request) ?? (request.method === 'GET' ? undefined : form?.(request));
    const [status, content] = refusal ?? [200, `<title>${title}</title>`];
    response.writeHead(status, { 'content-type': 'text/html' }).end(content);
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {}); // a visitor may leave in any way
    const refusal = ofAll?.(request) ?? ofSocket?.(request);
    if (refusal !== undefined) return socket.end(`HTTP/1.1 ${refusal[0]} Refused\r\nContent-Length: 0\r\n\r\n`);
    sockets.handleUpgrade(request, socket, head, (opened) => opened.on('error', () => {}).send('hello'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    target: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const open of sockets.clients) open.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function visitAll(visitor: Visitor, { title }: Rules): Promise<void> {
  const { text: page } = await visitor.get(200, 'GET', '/');
  if (!page.includes(title)) throw new Error(page);
  await visitor.get(200, 'POST', '/', { body: 'a=b' });
  await visitor.firstMessage('/');
}
