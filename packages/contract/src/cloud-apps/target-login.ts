/**
 * The login of calls over HTTP: `POST connect` of the file manager (`file-calls.ts`) and of the downloads
 * (`download-calls.ts`). Every error of their calls is a `LoginProblem`, whose code is `login.` and a login failure,
 * `target.` and an app failure, one of the catalogue, or one of the calls' own.
 */
import { z } from 'zod';
import type { LocalizedText } from '../messages/localized-text.ts';
import { Problem } from '../messages/problem.ts';
import { AlgorithmMismatch } from './algorithm-mismatch.ts';
import { Fingerprint } from './fingerprint.ts';

/** What the app has not stored; the password of aria2 is its RPC secret. It is kept in the gateway's memory until the session ends. */
export const TargetLogin = z.strictObject({
  username: z.string().max(128).optional(),
  password: z.string().max(500).optional(),
  passphrase: z.string().max(500).optional(),
  trust_host_key: Fingerprint.optional().describe('the fingerprint that the user has accepted'),
});
export type TargetLogin = z.infer<typeof TargetLogin>;

export const TargetConnected = z.object({
  path: z.string().describe('the folder that is shown first, or that aria2 downloads to'),
});
export type TargetConnected = z.infer<typeof TargetConnected>;

/** What the user has to do before the target can be reached. */
export const loginFailures = {
  'credentials-required': { status: 409, zh: '请输入登录信息', en: 'Enter what is needed to log in.' },
  'host-key-unknown': {
    status: 409,
    zh: '第一次连接，请核对目标的指纹后选择是否信任',
    en: 'This is the first connection. Compare the fingerprint of the target before you trust it.',
  },
} as const satisfies Record<string, LocalizedText & { status: number }>;

export const LoginProblem = Problem.extend({
  wanted: z
    .array(z.enum(['username', 'password', 'passphrase']))
    .optional()
    .describe('login.credentials-required: what is missing'),
  fingerprint: z.string().optional().describe('login.host-key-unknown, target.host-key-changed: the one seen now'),
  known_fingerprint: z.string().optional().describe('target.host-key-changed: the one that the app has stored'),
  algorithms: AlgorithmMismatch.optional().describe('target.no-common-algorithm: of both sides'),
});
export type LoginProblem = z.infer<typeof LoginProblem>;
