/** A response that the relay writes itself, independent of the protocol. */
export type LocalResponse = {
  status: number;
  /** Without Content-Length, Date and fields of the connection. */
  fields: ReadonlyArray<readonly [name: string, value: string]>;
  /** Left out when the request was a HEAD. */
  body: Buffer;
};
