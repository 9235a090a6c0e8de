import { defineConfig } from 'vite';

const service = process.env['STEPPE_URL'] ?? 'http://127.0.0.1:8080';
/** The first parts of the paths that the service answers. */
const paths = [
  'categories',
  'dataset-groups',
  'datasets',
  'districts',
  'landscape',
  'capabilities',
  'readyz',
  'openapi',
];

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    // Nothing is put into the page itself: its policy forbids it.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Says which files belong together, for the test of what a page weighs.
    manifest: true,
  },
  worker: { format: 'es' },
  server: { proxy: Object.fromEntries(paths.map((path) => [`/${path}`, service])) },
});
