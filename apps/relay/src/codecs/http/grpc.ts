import { fieldValue } from './fields.ts';
import type { RequestHead } from './request-head.ts';

/** Not `application/grpc-web`, which is ordinary HTTP. */
const GRPC_TYPE = /^application\/grpc(?:[+;]|$)/i;
const BYTES_TO_ENCODE = /[^\x20-\x24\x26-\x7e]/g;

export const GRPC_UNAUTHENTICATED = 16;
const GRPC_UNKNOWN = 2;

/** What clients make of the status of an answer without `grpc-status` (https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md). */
const codes: Record<number, number> = {
  ...{ 400: 13, 401: GRPC_UNAUTHENTICATED, 403: 7, 404: 12 },
  ...{ 429: 14, 502: 14, 503: 14, 504: 14 },
};

/** Whether a request is one of gRPC over HTTP/2 (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md). */
export function isGrpc({ method, fields }: Pick<RequestHead, 'method' | 'fields'>): boolean {
  if (method !== 'POST' || fieldValue(fields, 'te')?.toLowerCase() !== 'trailers') return false;
  return GRPC_TYPE.test(fieldValue(fields, 'content-type') ?? '');
}

/** The gRPC status for a status of HTTP. */
export function grpcStatusOf(status: number): number {
  return codes[status] ?? GRPC_UNKNOWN;
}

/** A text as the value of `grpc-message`. */
export function percentEncoded(text: string): string {
  const bytes = Buffer.from(text).toString('latin1');
  return bytes.replace(BYTES_TO_ENCODE, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}
