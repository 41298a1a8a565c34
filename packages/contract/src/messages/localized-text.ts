/** A text for users in every supported language. This file imports no library, so the browser can load it. */
export type LocalizedText = { readonly zh: string; readonly en: string };
export type Language = keyof LocalizedText;
