import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { consoleBrowsers } from './build/browsers.ts';
import { chineseOnly } from './build/chinese-only.ts';
import { componentStyles } from './build/component-styles.ts';
import { rdpThroughOwnSocket, rdpWasmAsFile, vncWithoutTopLevelAwait } from './build/screen-libraries.ts';
import { silenceLibraries } from './build/silence-libraries.ts';

const developmentServer = 'http://localhost:8080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    chineseOnly(),
    componentStyles(),
    react(),
    silenceLibraries(),
    vncWithoutTopLevelAwait(),
    rdpWasmAsFile(),
    rdpThroughOwnSocket(),
  ],
  server: {
    proxy: Object.fromEntries(
      ['/api', '/custom', '/agent', '/ip', '/captcha', '/sso', '/apps'].map((path) => [
        path,
        { target: developmentServer, ws: true },
      ]),
    ),
  },
  build: {
    outDir: 'dist',
    target: consoleBrowsers,
    emptyOutDir: true,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      // The page itself and what starts the console are another build (vite.start.config.ts).
      input: { console: 'src/main-console.ts', captcha: 'src/main-captcha.tsx' },
      preserveEntrySignatures: 'allow-extension',
    },
  },
});
