/** The URL of a session's WebSocket. Older browsers take no relative one. */
export function socketUrl(path: string, pageUrl: string): string {
  const url = new URL(path, pageUrl);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  return url.href;
}
