import { AppError, type ErrorCode } from '@tongtu/contract';
import { z } from 'zod';

const TIMEOUT_MS = 10_000;

/**
 * One call of a provider of messages: its answer, whatever the status. Throws `sms.unavailable` unless one comes in time
 * that fits the schema.
 */
export async function callProvider<Schema extends z.ZodType>(
  schema: Schema,
  url: URL,
  { timeoutMs = TIMEOUT_MS, ...init }: RequestInit & { timeoutMs?: number | undefined },
): Promise<z.output<Schema>> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'error', // it would carry the signature elsewhere
      signal: AbortSignal.timeout(timeoutMs),
    });
    return schema.parse(JSON.parse(await response.text()));
  } catch (cause) {
    throw new AppError('sms.unavailable', { cause: new Error(`${url.hostname} gave no answer`, { cause }) });
  }
}

/** What a refusal means for the one who waits for the code; `known` holds those that they can do something about. */
export function refusalOf(known: Readonly<Record<string, ErrorCode>>, code: string, message: string): AppError {
  const cause = new Error(`the message was refused: ${code} ${message}`);
  const failure = Object.hasOwn(known, code) ? known[code] : undefined;
  return new AppError(failure ?? 'sms.unavailable', { cause });
}
