import { randomBytes } from 'node:crypto';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import websocket from '@fastify/websocket';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Db } from '../db/driver.ts';
import type { CallGuard } from './authorize.ts';
import { useCallLimits } from './limits/call-limits.ts';
import { useHostCheck } from './host-check.ts';
import { useJsonOnly } from './json-bodies.ts';
import { useNotFound } from './not-found.ts';
import { sendFailure, useProblemDetails } from './problem.ts';
import { useUpgradeRefusal } from './upgrade-refusal.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
const WEBSOCKET_MESSAGE_LIMIT_BYTES = 4 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** Twice the relay's limit, so that the relay refuses larger headers with a readable page. */
const MAX_HEAD_BYTES = 64 * 1024;

/** Of a long list it takes half the time of the next quality, for 3 % more bytes. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };

export type App = FastifyInstance;

export type AppOptions = CallGuard & {
  log: Logger;
  /** Counts calls for their limits. */
  db: Db;
  /** Whether the console is served over https. Some security headers are sent only then. */
  isHttps: boolean;
  /** Origin of another installation's single sign-on host. The console loads its script and its events. */
  ssoOrigin?: string | undefined;
};

/** Creates the HTTP server without calls: error replies, headers, cookies, limits. Features mount their calls on it. */
export async function createApp(options: AppOptions): Promise<App> {
  const loggerInstance: FastifyBaseLogger = options.log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: 'loopback', // only the relay connects to this port
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { maxHeaderSize: MAX_HEAD_BYTES },
    requestIdHeader: false,
    genReqId: () => randomBytes(9).toString('base64url'),
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    frameworkErrors: (error, req, reply) => void sendFailure(error, req, reply),
  });
  const { sessions, csrfKey, hasSecondFactor, billing } = options;
  app.decorate('callGuard', { sessions, csrfKey, hasSecondFactor, billing });
  useProblemDetails(app);
  useJsonOnly(app);
  app.addHook('onRequest', async (req, reply) => {
    reply.header('x-request-id', req.id);
  });
  useHostCheck(app);
  await app.register(cookie);
  await app.register(helmet, securityHeaders(options));
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'], brotliOptions });
  await app.register(websocket, { options: { maxPayload: WEBSOCKET_MESSAGE_LIMIT_BYTES } });
  useUpgradeRefusal(app);
  useNotFound(app);
  useCallLimits(app, options.db);
  return app;
}

/** Calls are parsed by the contract's schemas, so Fastify need not load its compilers for JSON Schema at each start. */
function noCompiler(): never {
  throw new Error('no route has a JSON Schema');
}

function securityHeaders({ isHttps, ssoOrigin }: AppOptions) {
  const scriptHosts = ["'self'", ...(ssoOrigin === undefined ? [] : [ssoOrigin])];
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'self'"],
        connectSrc: scriptHosts,
        fontSrc: ["'self'", 'data:'],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        scriptSrc: scriptHosts,
        styleSrc: ["'self'", "'unsafe-inline'"], // antd writes its styles into the page
      },
    },
    // Over http browsers ignore these two and log a warning.
    crossOriginOpenerPolicy: isHttps && ({ policy: 'same-origin' } as const),
    originAgentCluster: isHttps,
    // The relay sends it (HSTS_SECONDS), because only the relay knows which port and TLS the browser uses.
    strictTransportSecurity: false as const,
    xFrameOptions: { action: 'deny' } as const,
    // Other sites get no referrer. Raw calls of the console need it where browsers do not send Sec-Fetch-Site.
    referrerPolicy: { policy: 'same-origin' } as const,
  };
}
