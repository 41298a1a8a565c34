const cookieName = 'csrftoken';
const hostPrefix = '__Host-';
/** The format of our tokens; anything else is not sent. */
const tokenForm = /^[\w.-]+$/;
/** The server reads no more tokens than these. */
const maxTokens = 8;

/**
 * The value of the CSRF header, or undefined without a cookie. `cookies` has the form of `document.cookie`, `protocol`
 * that of `location.protocol`. Over http, other hosts of the same domain can set cookies with our name. They cannot be
 * distinguished, so all are sent, separated by commas.
 */
export function readCsrfToken(cookies: string, protocol: string): string | undefined {
  const ofHost = protocol === 'https:' ? readTokens(cookies, `${hostPrefix}${cookieName}`) : [];
  // A server behind a proxy that it does not trust sees http and uses the plain cookie name.
  const tokens = ofHost.length > 0 ? ofHost : readTokens(cookies, cookieName);
  return tokens.length === 0 ? undefined : tokens.slice(0, maxTokens).join(', ');
}

function readTokens(cookies: string, name: string): string[] {
  return cookies.split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    const value = pair.slice(at + 1).trim();
    return at !== -1 && pair.slice(0, at).trim() === name && tokenForm.test(value) ? [value] : [];
  });
}
