/** Tokens, keys and codes of this product begin so. */
const secrets = /\b(t[a-z]_(?:api_)?)[A-Za-z0-9_-]{6,}/g;
/** The user and the password of an address, as proxies have them. */
const userInfo = /\/\/[^/@\s]*@/g;

/** The text with tokens and passwords masked, to be shown to others. */
export function withoutSecrets(text: string): string {
  return text.replace(secrets, '$1***').replace(userInfo, '//***@');
}
