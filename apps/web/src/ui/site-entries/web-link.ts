/** The address, if it may be a link: http or https only, without a user name that could hide the host. */
export function webLink(url: string): string | undefined {
  const text = url.trim();
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { username, password, href } = new URL(text);
  return username === '' && password === '' ? href : undefined;
}
