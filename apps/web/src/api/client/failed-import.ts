import { ApiError } from './api-error.ts';

/** For a failed import whose failure is shown like that of a call. */
export function failImport(cause: unknown): never {
  throw new ApiError({ type: 'not-loaded' }, { cause });
}

// No standard names such an error. These are the texts of Chromium and Firefox, of Safari, also where a proxy answers with
// a page, and of Vite for styles.
const texts =
  /dynamically imported module|importing a module script failed|not a valid javascript mime type|unable to preload css/i;

/** Whether an error is that of an `import()` whose files did not arrive. */
export function isFailedImport(error: unknown): boolean {
  return error instanceof Error && texts.test(error.message);
}
