import type { Plugin } from 'vite';

const CATALOGUES = /\/contract\/src\/messages\/(errors|field-messages)\.ts$/;
/** The English text of an entry: a literal without a nested one. */
const ENGLISH = /\ben:\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`),?/g;

/**
 * Leaves the English texts of the contract's catalogues out of the console, which shows the Chinese ones: 6 KB that each
 * screen would load. Fails when it no longer finds any.
 */
export function chineseOnly(): Plugin {
  return {
    name: 'tongtu:chinese-only',
    enforce: 'pre',
    transform(code, id) {
      if (!CATALOGUES.test(id)) return undefined;
      const chinese = code.replaceAll(ENGLISH, '');
      if (chinese === code) throw new Error(`${id} has no English text of the expected form`);
      return { code: chinese, map: null };
    },
  };
}
