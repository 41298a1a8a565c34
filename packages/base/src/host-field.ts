/** The parts of a Host field (RFC 9110 §7.2) or an `:authority`. */
export type HostField = {
  /** Lower case, without brackets and without a trailing dot. */
  host: string;
  port: number | undefined;
};

const HOST_FIELD = /^(?:([a-z0-9._-]{1,255})|\[([0-9a-f:.]{2,45})\])(?::([0-9]{0,5}))?$/i;
const MAX_PORT = 65_535;

/** Parses a Host field; undefined when it is malformed or the port is out of range. An empty port is none (RFC 3986 §3.2.3). */
export function parseHostField(field: string): HostField | undefined {
  const match = HOST_FIELD.exec(field);
  if (match === null) return undefined;
  const port = match[3] === undefined || match[3] === '' ? undefined : Number(match[3]);
  if (port !== undefined && port > MAX_PORT) return undefined;
  const host = (match[1] ?? match[2] ?? '').toLowerCase();
  return { host: host.endsWith('.') ? host.slice(0, -1) : host, port };
}
