/** What the script in the page's head leaves for the modules (`apps/web/build/head-script.ts`). */
export type PageGlobals = {
  /** Calls that began before any module was loaded, by their URL. */
  replies: Record<string, Promise<Response>>;
  /** Resolves when the styles of the first screen are there. */
  stylesLoaded: Promise<void>;
  /** Modules of the console, which is built apart from the page that starts it, with their styles. */
  loadConsole: () => Promise<typeof import('../main-console.ts')>;
  loadCaptcha: () => Promise<typeof import('../main-captcha.tsx')>;
  /** Loads the console's files ahead of their use. */
  preloadConsole: () => void;
  /**
   * For a page whose files did not arrive, as a newer version may have replaced them: reloads it if the server answers,
   * at most once a minute. Resolves with whether the server answers; without one, a reload would show the browser's own
   * error page, which never retries.
   */
  reloadIfServed: () => Promise<boolean>;
};

declare global {
  var tongtu: PageGlobals | undefined;
  /** Only in a browser that is too old for the console and the captcha: says so, in place of the page (`apps/web/build/older-browsers.ts`). */
  var tongtuTooOld: (() => Promise<never>) | undefined;
}
