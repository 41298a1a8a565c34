import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CloudAppKind } from '@tongtu/contract';
import type { WebSocket } from 'ws';
import type { LiveSession } from '../session/live-session.ts';

/** How a kind of app is spoken with the browser. What a kind lacks is answered with 404. */
export type AppHandler = {
  /** A request below `/apps/{session}/`. Resolves at once or when it is answered; an error is answered with 500. */
  handle?: (session: LiveSession, request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>;
  /** The WebSockets at `/apps/{session}/{path}`, by their path. */
  sockets?: Readonly<Record<string, (session: LiveSession, socket: WebSocket) => void>>;
};

export type AppHandlers = Record<CloudAppKind, AppHandler>;
