import type { AlertFailure, AlertKind, AlertTarget } from '@tongtu/contract';
import { z } from 'zod';
import type { AlertMessage } from '../sending/alert-message.ts';

export type TargetOf<Kind extends AlertKind> = Extract<AlertTarget, { kind: Kind }>;

/** A complete POST request. */
export type ProviderRequest = { url: URL; contentType: string; body: string; headers?: Record<string, string> };
export type ProviderResponse = { status: number; body: string };

/** Builds the requests and reads the responses of one kind of channel. Opens no socket. */
export type Provider<Kind extends AlertKind> = {
  request(target: TargetOf<Kind>, message: AlertMessage, wallClockMs: number): ProviderRequest;
  /** Returns undefined when the message arrived. */
  failureOf(response: ProviderResponse): AlertFailure | undefined;
};

export function jsonRequest(url: URL, body: object): ProviderRequest {
  return { url, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

/**
 * Keeps a device's name from mentioning people: robots of 飞书 read `<at user_id="all">` and those of 企业微信 `<@somebody>`
 * in the text as mentions. 钉钉 has separate fields for mentions.
 */
export function withoutMentions(text: string): string {
  return text.replaceAll('<', '＜').replaceAll('>', '＞');
}

/** Decides by the status alone. */
export function failureOfStatus(status: number): AlertFailure | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 429) return 'rate_limited';
  // The service or a proxy before it is busy or broken; the message is not to blame.
  return status >= 500 || status === 408 || status === 425 ? 'server_error' : 'rejected';
}

type Codes = {
  /** The field of the response that holds the code. */
  field: string;
  success: number;
  /** Codes that do not mean that the message was rejected. */
  failures: Readonly<Record<number, AlertFailure>>;
};

/** For providers that answer with a code in JSON, some of them with status 200 for every outcome. */
export function failureOfCode(
  { status, body }: ProviderResponse,
  { field, success, failures }: Codes,
): AlertFailure | undefined {
  const code = readCode(body, field);
  if (code === undefined) return failureOfStatus(status) ?? 'server_error'; // for example from a proxy
  if (code === success) return undefined;
  return failures[code] ?? failureOfStatus(status) ?? 'rejected';
}

function readCode(body: string, field: string): number | undefined {
  try {
    return z.object({ [field]: z.number() }).parse(JSON.parse(body))[field];
  } catch {
    return undefined; // not JSON, or without a code
  }
}
