/**
 * A screen (vnc, rdp) has two WebSockets. At `/apps/{session}/screen` are the bytes of its protocol, for a library in the
 * browser. At `/apps/{session}/control`, opened first, are JSON messages as below.
 */
import { z } from 'zod';
import { appFailures } from './app-failures.ts';

/** The user is still there, although nothing has been typed. */
export const ScreenFromBrowser = z.object({ type: z.literal('stay') });
export type ScreenFromBrowser = z.infer<typeof ScreenFromBrowser>;

const reason = z.enum(Object.keys(appFailures) as [keyof typeof appFailures]);

export const ScreenFromGateway = z.discriminatedUnion('type', [
  z.object({ type: z.literal('idle_warning'), seconds: z.number().int() }),
  /**
   * RDP: the target takes keys alone, and drops text (MS-RDPBCGR 2.2.7.1.6). `doubtful`: it does not say so, but may drop
   * all that is not on its keyboard, as xrdp does.
   */
  z.object({ type: z.literal('no_text_input'), certainty: z.enum(['certain', 'doubtful']) }),
  /** Why the screen's WebSocket closes. Another one may follow in the same session. */
  z.object({ type: z.literal('failed'), reason }),
  /** The session is over. */
  z.object({ type: z.literal('ended'), reason }),
]);
export type ScreenFromGateway = z.infer<typeof ScreenFromGateway>;
