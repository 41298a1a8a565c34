/** What the script in the page's head knows of the build: URLs of files. */
export type HeadScriptParts = {
  /** The page's first script. */
  start: string;
  /** Modules that are loaded by their URL, which is their first file, each with all that it imports. */
  modules: { console: string[]; captcha: string[] };
  /** The files of the console's screens, by their path in the router without an id, with the query of another view. */
  screens: Record<string, string[]>;
  /** The files of the two screens that need no console. */
  check: string[];
  login: string[];
};
