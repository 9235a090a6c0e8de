import { defineConfig } from 'vite';

const service = process.env['STEPPE_URL'] ?? 'http://127.0.0.1:8080';
/** The first parts of the paths that the service answers. */
const paths = [
  'categories',
  'dataset-groups',
  'datasets',
  'uploads',
  'districts',
  'landscape',
  'capabilities',
  'readyz',
  'openapi',
];

/** What several parts of the page need comes in as few files as there are times to load it: each file is a request. */
const groups = [
  { name: 'map', test: /node_modules\/(?:ol|proj4)\/|src\/maps\/style\/colour-map/, priority: 1 },
  { name: 'shared', test: /preact|src\/(?:address|parts|service|words\/[a-z]+\.ts)/ },
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
    rolldownOptions: { output: { codeSplitting: { minShareCount: 2, groups } } },
  },
  worker: { format: 'es' },
  server: { fs: { allow: ['..'] }, proxy: Object.fromEntries(paths.map((path) => [`/${path}`, service])) },
});
