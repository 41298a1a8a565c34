const cookieName = 'csrftoken';
const hostPrefix = '__Host-';
/** What ours look like; anything else would not fit into a header, or be no good there. */
const tokenForm = /^[\w.-]+$/;
/** As many as the server looks at. */
const maxTokens = 8;

/**
 * What a call sends as its CSRF header. `cookies` is in the form of `document.cookie`, `protocol` of `location.protocol`.
 * Over http pages of neighbouring hosts can put cookies of that name beside ours, and nothing tells which is which: then
 * it is all of them, with commas between. Undefined when there is none.
 */
export function readCsrfToken(cookies: string, protocol: string): string | undefined {
  const ofHost = protocol === 'https:' ? readTokens(cookies, `${hostPrefix}${cookieName}`) : [];
  // A server behind a proxy that it does not know sees http, and names its cookies for that.
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
