/** A sentence for people, in every language that replies come in. This file loads no library, so the browser can import it. */
export type LocalizedText = { readonly zh: string; readonly en: string };
export type Language = keyof LocalizedText;
