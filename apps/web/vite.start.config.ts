import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { startBrowsers } from './build/browsers.ts';
import { silenceLibraries } from './build/silence-libraries.ts';

/**
 * The page that starts the console: the gate and the login by password. Preact takes React's place in it, because React
 * alone is twice as large as all of this page may be. In the console the same components run with React.
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), silenceLibraries()],
  publicDir: false,
  resolve: {
    alias: [
      {
        find: /^@tongtu\/contract\/errors$/,
        replacement: path.join(import.meta.dirname, 'src/start/no-catalogue.ts'),
      },
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
      { find: /^react(-dom)?$/, replacement: 'preact/compat' },
    ],
  },
  build: {
    outDir: 'dist',
    target: startBrowsers,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: 'src/main-start.ts',
      output: { entryFileNames: 'assets/start-[hash].js', chunkFileNames: 'assets/start-[name]-[hash].js' },
    },
  },
});
