import type { PageGlobals } from '../src/start/page-globals.ts';

/** What the script in the page's head knows of the build. */
export type HeadScriptParts = {
  modules: PageGlobals['modules'];
  /** The files of the console's screens, by their path in the router. */
  screens: Record<string, string[]>;
  /** The files of the two screens that need no console. */
  check: string[];
  login: string[];
};
