import { defineConfig, type Plugin } from 'vite';

const service = process.env['BASE_URL'] ?? 'http://127.0.0.1:8080';
/** The first parts of the paths that the service answers. */
const paths = [
  'categories',
  'dataset-groups',
  'datasets',
  'uploads',
  'districts',
  'landscape',
  'capabilities',
  'events',
  'readyz',
  'openapi',
];

/** Shared code is grouped into as few files as there are times of loading, since each file is a request. */
const groups = [
  { name: 'map', test: /node_modules\/(?:ol|proj4)\/|common\/maps\/style\/colour-map/, priority: 1 },
  {
    name: 'shared',
    test: /preact|src\/(?:address|parts|service|words\/[a-z]+\.ts)|words\/(?:lazy-)?words\.ts$/,
  },
];

/** Parts of libraries that the page never calls, and their replacements: they would be a tenth of the script of a map. */
const unused: readonly { readonly of: RegExp; readonly for?: RegExp; readonly program: string }[] = [
  // Coordinates of the military grid.
  { of: /^mgrs$/, program: 'export const forward = undefined, toPoint = undefined; export default {};' },
  // Reference systems are PROJ strings or codes.
  {
    of: /^wkt-parser$/,
    program: `export default () => { throw new Error('WKT is not read here'); };`,
  },
  // Grids of shifts are never loaded: the service names `@null` alone.
  {
    of: /^\.\/nadgrid$/,
    program: `export default undefined; export const getNadgrids = (names) => names === undefined ? null
      : names.split(',').map((name) => ({ name, mandatory: !name.startsWith('@'), grid: null, isNull: /^@?null$/.test(name) }));`,
  },
  // Only checks whether a layer declutters its labels: none has labels.
  { of: /layer\/BaseVector\.js$/, for: /ol\/renderer\/Composite\.js$/, program: 'export default class {}' },
  // Features of a vector cannot be queried by a click.
  {
    of: /canvas\/hitdetect\.js$/,
    program:
      'export const HIT_DETECT_RESOLUTION = 1, createHitDetectionImageData = undefined, hitDetect = undefined;',
  },
  // Labels of features, which no style of the page has.
  { of: /\/TextBuilder\.js$/, program: 'export const TEXT_ALIGN = {}; export default class {}' },
  // Buttons of the library: the page has its own.
  { of: /\/control\/defaults\.js$/, for: /ol\/Map\.js$/, program: 'export const defaults = () => [];' },
  // Styles written as objects; the page computes its styles.
  {
    of: /render\/canvas\/style\.js$/,
    program: `export const flatStyleLikeToStyleFunction = () => { throw new Error('flat styles are not read here'); };`,
  },
];

function leaveOutUnused(): Plugin {
  const prefix = '\0unused ';
  return {
    name: 'leave-out-unused',
    enforce: 'pre',
    apply: 'build',
    resolveId(source, importer = '') {
      const found = unused.findIndex((part) => part.of.test(source) && part.for?.test(importer) !== false);
      return found === -1 ? undefined : `${prefix}${found}`;
    },
    load: (id) => (id.startsWith(prefix) ? unused[Number(id.slice(prefix.length))]?.program : undefined),
  };
}

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [leaveOutUnused()],
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    // No assets are inlined, since the Content-Security-Policy of the page forbids it.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Lists the files that belong together, for the test of the page size.
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { minShareCount: 2, groups } } },
  },
  worker: { format: 'es' },
  server: { fs: { allow: ['..'] }, proxy: Object.fromEntries(paths.map((path) => [`/${path}`, service])) },
});
