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
      output: {
        // React and the router change with their own releases only: a new version of the console does not reload them.
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack)[\\/]/,
              priority: 20,
            },
            // Few requests on the first load: one for all icons, one for what most screens share.
            { name: 'icons', test: /node_modules[\\/]@ant-design[\\/]icons/, priority: 10 },
            // What fewer share would be loaded at the login for nothing.
            { name: 'antd', test: /node_modules/, minShareCount: 5 },
            { name: 'shared', test: /[\\/]src[\\/]/, minShareCount: 3 },
          ],
        },
      },
    },
  },
});
