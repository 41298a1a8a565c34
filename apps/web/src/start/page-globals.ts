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
};

declare global {
  var tongtu: PageGlobals | undefined;
}
