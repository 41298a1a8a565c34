/**
 * The WebSocket at `/apps/{session}/files/watch`, which the file manager keeps open: the page learns at once that its
 * session has ended, and the gateway learns that the page has closed. Any message of the browser puts the idle end off.
 */
import { z } from 'zod';
import { appFailures } from './app-failures.ts';

export const WatchFromGateway = z.discriminatedUnion('type', [
  z.object({ type: z.literal('idle_warning'), seconds: z.number().int() }),
  z.object({ type: z.literal('failed'), reason: z.enum(Object.keys(appFailures) as [keyof typeof appFailures]) }),
]);
export type WatchFromGateway = z.infer<typeof WatchFromGateway>;
