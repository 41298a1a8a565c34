/**
 * The WebSocket of a terminal (ssh, telnet), at `/apps/{session}/terminal`. Binary messages are the bytes of the
 * terminal as the target reads and writes them, in its encoding; text messages are JSON, as below. Each direction has its own window: output
 * waits for `drawn`, input for `taken` (docs/cloud-apps.md, Terminals).
 */
import { z } from 'zod';
import { AlgorithmMismatch } from './algorithm-mismatch.ts';
import { appFailures } from './app-failures.ts';

const Size = { columns: z.number().int().min(2).max(1_000), rows: z.number().int().min(2).max(1_000) };

export const TerminalFromBrowser = z.discriminatedUnion('type', [
  /** The first message. Credentials that the app has not stored, where the user has typed them. */
  z.object({
    type: z.literal('start'),
    ...Size,
    username: z.string().max(128).optional(),
    password: z.string().max(500).optional(),
    passphrase: z.string().max(500).optional(),
  }),
  z.object({ type: z.literal('resize'), ...Size }),
  /** The browser has drawn so many bytes of output. The gateway pauses when too many are not drawn. */
  z.object({ type: z.literal('drawn'), bytes: z.number().int().nonnegative() }),
  z.object({ type: z.literal('answers'), answers: z.array(z.string().max(1_000)).max(20) }),
  z.object({ type: z.literal('trust_host_key'), trusted: z.boolean() }),
  /** The user is still there, although nothing has been typed. */
  z.object({ type: z.literal('stay') }),
]);
export type TerminalFromBrowser = z.infer<typeof TerminalFromBrowser>;

export const TerminalFromGateway = z.discriminatedUnion('type', [
  /** The login succeeded: input goes to the target from now on. */
  z.object({ type: z.literal('connected') }),
  /**
   * In place of the login: the shell of the session still runs. Its last output follows, so many bytes, for a terminal of
   * this size. What the terminal answers to it is not sent. Then it gets its own size.
   */
  z.object({ type: z.literal('resumed'), ...Size, bytes: z.number().int().nonnegative() }),
  /**
   * The target has taken so many more bytes of input since `connected`, reported in steps of `terminalInputStepBytes`. At
   * most `terminalInputWindowBytes` may be on their way; the gateway closes the WebSocket of a browser that sends far
   * more.
   */
  z.object({ type: z.literal('taken'), bytes: z.number().int().positive() }),
  /** Credentials are missing, or the target refused those it got: the connection ends, and `start` is sent anew. */
  z.object({
    type: z.literal('credentials'),
    refused: z.boolean(),
    wanted: z.array(z.enum(['username', 'password', 'passphrase'])),
  }),
  /** Questions of the target (keyboard-interactive, RFC 4256). */
  z.object({
    type: z.literal('prompts'),
    title: z.string(),
    text: z.string(),
    prompts: z.array(z.object({ text: z.string(), echo: z.boolean() })),
  }),
  /** First contact: the user compares the fingerprint and answers `trust_host_key`. */
  z.object({ type: z.literal('host_key'), fingerprint: z.string() }),
  /** The connection is cut; both fingerprints are shown. */
  z.object({ type: z.literal('host_key_changed'), known: z.string(), fingerprint: z.string() }),
  /** An SSH server has no algorithm in common with the gateway, as both list them. `failed` follows. */
  z.object({ type: z.literal('no_common_algorithm'), ...AlgorithmMismatch.shape }),
  z.object({ type: z.literal('idle_warning'), seconds: z.number().int() }),
  z.object({ type: z.literal('failed'), reason: z.enum(Object.keys(appFailures) as [keyof typeof appFailures]) }),
]);
export type TerminalFromGateway = z.infer<typeof TerminalFromGateway>;
