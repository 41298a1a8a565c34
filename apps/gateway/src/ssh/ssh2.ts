import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import type library from 'ssh2';
import { openChosenGroup } from './chosen-group.ts';
import { byteNames } from './byte-names.ts';

/**
 * As OpenSSH. ssh2 itself takes 35 000 bytes, and an OpenSSH server without echo answers input with packets that are as
 * long (SSH_MSG_IGNORE, against who counts bytes): up to all that its terminal took at once.
 */
const MAX_PACKET_BYTES = 256 * 1024;

/**
 * Of a group that the target chooses, which is offered to old devices alone: some have 1024 bits and no more. ssh2 takes
 * any size, and the largest would keep the processor busy for minutes.
 */
const MIN_GROUP_BITS = 1024;
const MAX_GROUP_BITS = 4096;

/** Of SFTP: names are bytes, of which ssh2 would lose those that are no UTF-8. */
const SFTP = '/ssh2/lib/protocol/SFTP.js';
const nameReplacements = ['path', 'filename', 'oldPath', 'newPath'].flatMap((name) => [
  { file: SFTP, from: `Buffer.byteLength(${name})`, to: `module.exports.byteNames.byteLength(${name})` },
  { file: SFTP, from: `buf.utf8Write(${name}, `, to: `module.exports.byteNames.write(buf, ${name}, ` },
]);

/** Of keyboard-interactive: what an old system asks may be no UTF-8 either. */
const MISC = '/ssh2/lib/protocol/handlers.misc.js';
const read = 'module.exports.byteNames.read(bufferParser.readString());';
const questionReplacements = [
  {
    file: MISC,
    from: `const name = bufferParser.readString(true);
        const instructions = bufferParser.readString(true);`,
    to: `const name = ${read}
        const instructions = ${read}`,
  },
  {
    file: MISC,
    from: `const prompt = bufferParser.readString(true);
            const echo`,
    to: `const prompt = ${read}
            const echo`,
  },
];

/** Replaced in the sources of ssh2 while they are loaded, wherever they stand. */
const replacements = [
  ...nameReplacements,
  ...questionReplacements,
  {
    file: SFTP,
    from: 'const filename = bufferParser.readString(true);\n\n        // `longname`',
    to: 'const filename = module.exports.byteNames.read(bufferParser.readString());\n\n        // `longname`',
  },
  {
    file: '/ssh2/lib/protocol/crypto.js',
    from: 'const MAX_PACKET_SIZE = 35000;',
    to: `const MAX_PACKET_SIZE = ${MAX_PACKET_BYTES};`,
  },
  {
    file: '/ssh2/lib/protocol/kex.js',
    from: 'const GEX_MIN_BITS = 2048; // RFC 8270\nconst GEX_MAX_BITS = 8192; // RFC 8270',
    to: `const GEX_MIN_BITS = ${MIN_GROUP_BITS};\nconst GEX_MAX_BITS = ${MAX_GROUP_BITS};`,
  },
  {
    file: '/ssh2/lib/protocol/kex.js',
    from: 'this._prefBits = dhEstimate(this.negotiated);',
    to: 'this._prefBits = Math.min(dhEstimate(this.negotiated), GEX_MAX_BITS);', // servers refuse more than the most
  },
  {
    file: '/ssh2/lib/protocol/kex.js',
    from: 'this._dh = createDiffieHellman(this._prime, this._generator);',
    to: 'this._dh = module.exports.openChosenGroup(this._prime, this._generator);',
  },
  {
    file: '/ssh2/lib/protocol/kex.js',
    from: `          // TODO: validate prime
          this.setDHParams(prime, gen);
          this.generateKeys();\n`,
    to: `          const primeBits = (prime.length - (prime[0] === 0 ? 1 : 0)) * 8;
          try {
            if (primeBits < GEX_MIN_BITS || primeBits > GEX_MAX_BITS) throw new Error('Another size than requested');
            if (gen.length === 0 || gen.length > 3) throw new Error('Not a usual generator');
            this.setDHParams(prime, gen);
            this.generateKeys();
          } catch (error) {
            return doFatalError(
              this._protocol,
              \`Received an unusable group: \${error.message}\`,
              'handshake',
              DISCONNECT_REASON.KEY_EXCHANGE_FAILED
            );
          }\n`,
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
        source = source.replaceAll(from, () => to);
      }
      return { ...loaded, source };
    },
  });
  try {
    const require = createRequire(import.meta.url);
    Object.assign(require('ssh2/lib/protocol/kex.js') as object, { openChosenGroup });
    Object.assign(require('ssh2/lib/protocol/SFTP.js') as object, { byteNames });
    Object.assign(require('ssh2/lib/protocol/handlers.misc.js') as object, { byteNames });
    return require('ssh2') as typeof library; // by its types
  } finally {
    hooks.deregister();
  }
}
