/** The address of a web mapping, with the console's scheme and port. */
export function publicAddress(consoleUrl: string | undefined, host: string): string {
  const { protocol, port } = new URL(consoleUrl !== undefined && URL.canParse(consoleUrl) ? consoleUrl : location.href);
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}

/** True for names and addresses of loopback. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host.startsWith('127.') || host === '[::1]';
}

/**
 * The server's address for other devices: the console's origin, or the configured address when the console is on
 * loopback.
 */
export function reachableOrigin(pageUrl: string, consoleUrl: string | undefined): string {
  const page = new URL(pageUrl);
  if (!isLoopbackHost(page.hostname) || consoleUrl === undefined || !URL.canParse(consoleUrl)) return page.origin;
  const configured = new URL(consoleUrl);
  return isLoopbackHost(configured.hostname) ? page.origin : configured.origin;
}

/**
 * A link of the console as others can open it: with the host that this page was opened with where the configured one is
 * loopback. `isLocal`: nobody else can open it, because this page is on loopback, too.
 */
export function linkForOthers(url: string, pageUrl: string): { url: string; isLocal: boolean } {
  const link = new URL(url);
  if (!isLoopbackHost(link.hostname)) return { url, isLocal: false };
  const page = new URL(pageUrl);
  if (isLoopbackHost(page.hostname)) return { url, isLocal: true };
  return { url: `${page.origin}${link.pathname}${link.search}${link.hash}`, isLocal: false };
}
