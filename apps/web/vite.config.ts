import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const developmentServer = 'http://localhost:8080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  server: {
    proxy: Object.fromEntries(
      ['/api', '/custom', '/agent', '/ip', '/captcha', '/sso'].map((path) => [path, { target: developmentServer }]),
    ),
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      // The page itself and what starts the console are another build (vite.start.config.ts).
      input: { console: 'src/main-console.ts', captcha: 'src/main-captcha.tsx' },
      preserveEntrySignatures: 'allow-extension',
      output: {
        // React and the router change with their own releases only: a new version of the console does not reload them.
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack)[\\/]/,
              priority: 20,
            },
            // By the screens that need them, so that none loads what only others use.
            { name: 'antd', test: /node_modules/, entriesAware: true, entriesAwareMergeThreshold: 20_000 },
            { name: 'shared', test: /[\\/]src[\\/]/, minShareCount: 3 },
          ],
        },
      },
    },
  },
});
