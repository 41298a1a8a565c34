/**
 * Takes the place of the contract's error catalogue in the page that starts the console: the server's replies carry the
 * sentence, and the catalogue of all errors is as large as a fifth of that page.
 */
export const errorCatalogue: Record<string, { zh: string }> = {};

export function isErrorCode(): boolean {
  return false;
}
