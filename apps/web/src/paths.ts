/** The places of the console, as the hash router knows them. */
export const paths = {
  home: '/',
  login: '/login',
  check: '/check',
  errorport: '/errorport',
  devices: '/devices',
  records: '/record',
  userInfo: '/user/info',
  announcements: '/announcements',
} as const;

/** What the login page is told when somebody comes because the server no longer knows them. */
export const sessionLost = 'session-lost';

/** A path with its query; an undefined value is left out. */
export function withQuery(path: string, query: Record<string, string | undefined>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) params.set(name, value);
  }
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
}
