const HOST = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;

/**
 * The address under which the caller reaches this server: the configured one, or the console host it used instead, e.g.
 * an IP address in the LAN. A device must not be told a name that only means something elsewhere (`localhost`).
 */
export function serverUrlFor(caller: { protocol: string; host: string }, publicUrl: string): string {
  const configured = new URL(publicUrl);
  if (!HOST.test(caller.host) || caller.host.toLowerCase() === configured.host) return configured.origin;
  return new URL(`${caller.protocol}://${caller.host}`).origin;
}

/** Host name without port; IPv6 without brackets, as sockets want it. */
export function hostNameOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}
