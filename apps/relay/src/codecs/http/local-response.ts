/** An answer of the relay's own, before a protocol gives it its form. */
export type LocalResponse = {
  status: number;
  /** Without Content-Length, Date and what is about the connection. */
  fields: ReadonlyArray<readonly [name: string, value: string]>;
  /** Left out when the request was a HEAD. */
  body: Buffer;
};
