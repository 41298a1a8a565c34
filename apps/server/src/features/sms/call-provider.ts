import { AppError, type ErrorCode } from '@tongtu/contract';
import { z } from 'zod';

const TIMEOUT_MS = 10_000;

/**
 * Calls an SMS provider and returns its response, whatever the status. Throws `sms.unavailable` when none arrives in time
 * or it does not match the schema.
 */
export async function callProvider<Schema extends z.ZodType>(
  schema: Schema,
  url: URL,
  { timeoutMs = TIMEOUT_MS, ...init }: RequestInit & { timeoutMs?: number | undefined },
): Promise<z.output<Schema>> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'error', // a redirect would send the signature to another host
      signal: AbortSignal.timeout(timeoutMs),
    });
    return schema.parse(JSON.parse(await response.text()));
  } catch (cause) {
    throw new AppError('sms.unavailable', { cause: new Error(`${url.hostname} gave no answer`, { cause }) });
  }
}

/** `expectedErrors` has the provider's codes that users can act on; any other code is `sms.unavailable`. */
export function errorOf(expectedErrors: Readonly<Record<string, ErrorCode>>, code: string, message: string): AppError {
  const cause = new Error(`the message was refused: ${code} ${message}`);
  const failure = Object.hasOwn(expectedErrors, code) ? expectedErrors[code] : undefined;
  return new AppError(failure ?? 'sms.unavailable', { cause });
}
