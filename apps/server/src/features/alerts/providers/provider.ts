import type { AlertFailure, AlertKind, AlertTarget } from '@tongtu/contract';
import { z } from 'zod';
import type { AlertMessage } from '../sending/alert-message.ts';

export type TargetOf<Kind extends AlertKind> = Extract<AlertTarget, { kind: Kind }>;

/** A POST, ready to be sent. */
export type ProviderCall = { url: URL; contentType: string; body: string; headers?: Record<string, string> };
export type ProviderAnswer = { status: number; body: string };

/** Speaks the protocol of one kind of channel. Opens no socket. */
export type Provider<Kind extends AlertKind> = {
  call(target: TargetOf<Kind>, message: AlertMessage, wallClockMs: number): ProviderCall;
  /** Why the message did not arrive; undefined when it did. */
  judge(answer: ProviderAnswer): AlertFailure | undefined;
};

export function jsonCall(url: URL, body: object): ProviderCall {
  return { url, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

/**
 * For robots that read `<at user_id="all">` (飞书) or `<@somebody>` (企业微信) in a text as a call to these people: nobody is
 * called by what a device is named. With 钉钉 only the fields beside the text do so.
 */
export function withoutMentions(text: string): string {
  return text.replaceAll('<', '＜').replaceAll('>', '＞');
}

/** What the status says by itself. */
export function judgeStatus(status: number): AlertFailure | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 429) return 'rate_limited';
  // Nothing wrong with the message: the service, or what stands before it, is busy or broken.
  return status >= 500 || status === 408 || status === 425 ? 'server_error' : 'rejected';
}

type Codes = {
  /** The field of the answer that holds the code. */
  field: string;
  arrived: number;
  /** Codes that do not mean that the message was rejected. */
  failures: Readonly<Record<number, AlertFailure>>;
};

/** For providers that answer with a code in JSON, some of them whatever the status. */
export function judgeCode(
  { status, body }: ProviderAnswer,
  { field, arrived, failures }: Codes,
): AlertFailure | undefined {
  const code = readCode(body, field);
  if (code === undefined) return judgeStatus(status) ?? 'server_error'; // something else answered in its place
  if (code === arrived) return undefined;
  return failures[code] ?? judgeStatus(status) ?? 'rejected';
}

function readCode(body: string, field: string): number | undefined {
  try {
    return z.object({ [field]: z.number() }).parse(JSON.parse(body))[field];
  } catch {
    return undefined; // not JSON, or without the code
  }
}
