import { z } from 'zod';
import { CertificateError } from '../certificate-error.ts';

const TIMEOUT_MS = 15_000;

export type JsonAnswer = { status: number; body: unknown };

/** Calls a DNS provider. Throws CertificateError `dns-provider-unreachable` unless JSON arrives in time. */
export async function callJson(url: URL, init: RequestInit, signal: AbortSignal): Promise<JsonAnswer> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'error', // following it would send the signature to another host
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    return { status: response.status, body: JSON.parse(await response.text()) as unknown };
  } catch (error) {
    signal.throwIfAborted();
    throw new CertificateError('dns-provider-unreachable', `${url.hostname}: ${messageOf(error)}`, { cause: error });
  }
}

/** Parses the answer. Throws CertificateError when it does not match the schema. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new CertificateError('dns-provider-refused', `unexpected answer: ${z.prettifyError(parsed.error)}`);
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
