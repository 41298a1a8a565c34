import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import type library from 'ssh2';

/**
 * As OpenSSH. ssh2 itself takes 35 000 bytes, and an OpenSSH server without echo answers input with packets that are as
 * long (SSH_MSG_IGNORE, against who counts bytes): up to all that its terminal took at once.
 */
const MAX_PACKET_BYTES = 256 * 1024;

/** Replaced in the sources of ssh2 while they are loaded. */
const replacements = [
  {
    file: '/ssh2/lib/protocol/crypto.js',
    from: 'const MAX_PACKET_SIZE = 35000;',
    to: `const MAX_PACKET_SIZE = ${MAX_PACKET_BYTES};`,
  },
];

/** The library, changed. What is imported from 'ssh2' itself before this would be the unchanged one. */
export const ssh2 = load();

function load(): typeof library {
  const hooks = registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const wanted = replacements.filter(({ file }) => url.endsWith(file));
      if (wanted.length === 0) return loaded;
      let source = readFileSync(new URL(url), 'utf8');
      for (const { from, to } of wanted) {
        if (!source.includes(from)) throw new Error('ssh2 has changed: see ssh/ssh2.ts');
        source = source.replace(from, to);
      }
      return { ...loaded, source };
    },
  });
  try {
    return createRequire(import.meta.url)('ssh2') as typeof library; // by its types
  } finally {
    hooks.deregister();
  }
}
