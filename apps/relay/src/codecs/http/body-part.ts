import type { Field } from './fields.ts';
import { HttpRefusal } from './http-refusal.ts';
import { isProxyClaim } from './proxy-claims.ts';

/** A part of a body, independent of the protocol: its payload, and whether the body ends with it. */
export type BodyPart = {
  /** Often empty: a read may contain only framing. */
  readonly payload: Buffer;
  /** In the last part: the trailers of the body, often none. Undefined: more parts follow. */
  readonly trailers: readonly Field[] | undefined;
  /** The same bytes as HTTP/1 chunks, if they came so: these are forwarded unchanged, with sizes and extensions. */
  readonly chunks?: Buffer;
};

export const NO_PAYLOAD: Buffer = Buffer.alloc(0);
export const NO_TRAILERS: readonly Field[] = [];

/** Fields for framing, routing or identity have no meaning after a body, but some services would use them. */
const NEVER_TRAILERS =
  /^(?:content-length|transfer-encoding|host|connection|upgrade|te|trailer|cookie|set-cookie|authorization|expect)$/;

/** Throws HttpRefusal. */
export function checkTrailers(trailers: readonly Field[]): void {
  for (const trailer of trailers) if (!mayBeTrailer(trailer)) throw new HttpRefusal(`${trailer.key} as a trailer`);
}

export function mayBeTrailer({ key }: Field): boolean {
  const plainKey = key.replaceAll('_', '-');
  return !NEVER_TRAILERS.test(plainKey) && !isProxyClaim(plainKey);
}
