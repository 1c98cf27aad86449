import { join } from 'node:path';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Every address is relative: the files work below any path of any host.
  base: './',
  // The component library has words in thirty languages, of which the console has two.
  plugins: [react(), optimizeLocales.vite({ locales: ['en-US', 'zh-CN'] })],
  resolve: {
    alias: { '@headroom-limits/client': join(import.meta.dirname, '../client/src/index.ts') },
  },
  build: {
    target: 'es2023',
    license: { fileName: 'THIRD-PARTY.md' },
    // The policy admits no data: address and no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Charts, which are loaded where one is drawn.
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
  },
});
