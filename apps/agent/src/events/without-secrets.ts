/** Tokens, keys and codes of this product begin so. */
const secrets = /\b(t[a-z]_(?:api_)?)[A-Za-z0-9_-]{6,}/g;
/** The user and the password of an address, as proxies have them. */
const userInfo = /\/\/[^/@\s]*@/g;

/** The query and the fragment of an address, where services put tokens of their own. */
const query = /(\bhttps?:\/\/[^\s"'?#<>]*)[?#][^\s"'<>，；。）]*/gi;

/** The text with tokens, passwords and the queries of addresses masked, to be shown to others. */
export function withoutSecrets(text: string): string {
  return text.replace(secrets, '$1***').replace(userInfo, '//***@').replace(query, '$1?***');
}
