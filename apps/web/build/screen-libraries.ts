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
