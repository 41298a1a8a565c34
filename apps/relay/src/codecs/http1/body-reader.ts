import type { BodyPart } from '../http/body-part.ts';

/** Extracts the payload of a body from the bytes of a connection, and finds its end. */
export type BodyReader = {
  /**
   * Reads the chunk from `from` on; `end` is where the body's bytes end in it (≤ its length). The bytes are not
   * copied, except for the payload of several chunks. Throws HttpRefusal when the framing is malformed.
   */
  take: (chunk: Buffer, from: number) => ReadBodyPart;
  readonly isDone: boolean;
  /** The body of an answer was improper, and was read as browsers read it. */
  readonly isRepaired: boolean;
};

export type ReadBodyPart = BodyPart & { readonly end: number };
