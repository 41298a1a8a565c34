import type { BodyPart } from '../http/body-part.ts';

/** Takes the payload of a body out of the bytes of a connection, and finds its end. */
export type BodyReader = {
  /**
   * Reads the chunk from `from` on; `end` is where the body's bytes end in it (≤ its length). The bytes are not
   * copied, but for a payload in several chunks when it is asked for. Throws HttpRefusal when the framing is broken.
   */
  take: (chunk: Buffer, from: number) => ReadBodyPart;
  readonly isDone: boolean;
};

export type ReadBodyPart = BodyPart & { readonly end: number };
