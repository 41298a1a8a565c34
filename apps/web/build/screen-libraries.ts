import path from 'node:path';
import type { Plugin } from 'vite';

/** noVNC asks at its start whether the browser decodes H.264, and waits for the answer. */
const AWAITED = 'supportsWebCodecsH264Decode = await _checkWebCodecsH264DecodeSupport();';
const NOT_AWAITED =
  '_checkWebCodecsH264DecodeSupport().then((isSupported) => { supportsWebCodecsH264Decode = isSupported; });';

/**
 * A module that awaits something makes the bundler put the console's entry into another chunk, where the page does not
 * find it. noVNC reads the answer only after the connection has begun.
 */
export function vncWithoutTopLevelAwait(): Plugin {
  return {
    name: 'vnc-without-top-level-await',
    transform: {
      filter: { id: /@novnc\/novnc\/core\/util\/browser\.js$/ },
      handler(code) {
        if (!code.includes(AWAITED)) throw new Error('noVNC has changed: see build/screen-libraries.ts');
        return { code: code.replace(AWAITED, NOT_AWAITED), map: null };
      },
    },
  };
}

const INLINE_WASM = /"data:application\/wasm;base64,([A-Za-z0-9+/=]+)"/;

/**
 * IronRDP carries its 4.5 MB of WebAssembly as text. As a file of its own it is a third smaller, cached apart, and the
 * page's content policy need not allow `data:`.
 */
export function rdpWasmAsFile(): Plugin {
  return {
    name: 'rdp-wasm-as-file',
    apply: 'build',
    transform: {
      filter: { id: /@devolutions\/iron-remote-desktop-rdp\/.*\.js$/ },
      handler(code) {
        const [, base64] = INLINE_WASM.exec(code) ?? [];
        if (base64 === undefined) throw new Error('IronRDP has changed: see build/screen-libraries.ts');
        const file = this.emitFile({ type: 'asset', name: 'iron-rdp.wasm', source: Buffer.from(base64, 'base64') });
        return { code: code.replace(INLINE_WASM, () => `import.meta.ROLLUP_FILE_URL_${file}`), map: null };
      },
    },
  };
}

const OPENS_SOCKET = 'new WebSocket(';
const rdpSocket = path.resolve(import.meta.dirname, '../src/features/cloud-apps/desktop/rdp/rdp-socket.ts');

/** IronRDP 0.7.0 draws some bitmap updates wrongly: they are mended before it reads them. Later versions need no mending. */
export function rdpThroughOwnSocket(): Plugin {
  return {
    name: 'rdp-through-own-socket',
    enforce: 'pre',
    transform: {
      filter: { id: /@devolutions\/iron-remote-desktop-rdp\/.*\.js$/ },
      handler(code) {
        if (code.split(OPENS_SOCKET).length !== 2)
          throw new Error('IronRDP has changed: see build/screen-libraries.ts');
        const own = `import { RdpSocket } from ${JSON.stringify(rdpSocket)};\n`;
        return { code: own + code.replace(OPENS_SOCKET, 'new RdpSocket('), map: null };
      },
    },
  };
}
