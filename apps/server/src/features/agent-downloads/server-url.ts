const HOST = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;

/**
 * The address by which the caller reaches this server: the configured one, or the console host of its request, such as
 * an IP address in the LAN. The configured one may be `localhost`, which would be wrong on another machine.
 */
export function serverUrlFor(caller: { protocol: string; host: string }, publicUrl: string): string {
  const configured = new URL(publicUrl);
  if (!HOST.test(caller.host) || caller.host.toLowerCase() === configured.host) return configured.origin;
  return new URL(`${caller.protocol}://${caller.host}`).origin;
}

/** Host name without port, and IPv6 without brackets, as sockets expect it. */
export function hostNameOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}
