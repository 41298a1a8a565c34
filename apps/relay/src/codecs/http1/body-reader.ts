/** Finds the end of a body in the bytes that pass by. */
export type BodyReader = {
  /** Returns where the body's bytes end in this chunk (≤ its length). Throws HttpRefusal when the framing is broken. */
  take: (chunk: Buffer, from: number) => number;
  readonly isDone: boolean;
};
