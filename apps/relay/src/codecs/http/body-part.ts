import type { Field } from './fields.ts';
import { HttpRefusal } from './http-refusal.ts';
import { isProxyClaim } from './proxy-claims.ts';

/** A part of a body in no protocol's form: what it carries, and whether the body ends with it. */
export type BodyPart = {
  /** Often empty: a read may bring framing alone. */
  readonly payload: Buffer;
  /** Of the last part: the trailers of the body, often none. Undefined: more is to come. */
  readonly trailers: readonly Field[] | undefined;
  /** The same as chunks of HTTP/1, where it came so: those are passed on as they are, with sizes and extensions. */
  readonly chunks?: Buffer;
};

export const NO_PAYLOAD: Buffer = Buffer.alloc(0);
export const NO_TRAILERS: readonly Field[] = [];

/** Fields that decide about framing, routing or identity mean nothing after a body, but some services would believe them. */
const NEVER_TRAILERS =
  /^(?:content-length|transfer-encoding|host|connection|upgrade|te|trailer|cookie|set-cookie|authorization|expect)$/;

/** Throws HttpRefusal. */
export function checkTrailers(trailers: readonly Field[]): void {
  for (const { key } of trailers) {
    const plainKey = key.replaceAll('_', '-');
    if (NEVER_TRAILERS.test(plainKey) || isProxyClaim(plainKey)) throw new HttpRefusal(`${key} as a trailer`);
  }
}
