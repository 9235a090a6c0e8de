import type { Import } from '../support/source-tree.ts';

/** A rule about imports. A path stands for everything that begins with it, a package for itself. */
export type Wall = { readonly why: string } & (
  | {
      /** Only `importers` and files of the same folder may import these. */
      readonly behind: readonly string[];
      readonly importers: readonly string[];
      /** True if others may import types. */
      readonly showsTypes?: true;
    }
  | {
      /** These may import only `imports` and each other from the project. */
      readonly within: readonly string[];
      readonly imports: readonly string[];
      /** The only packages that they may import; by default any. */
      readonly packages?: readonly string[];
    }
);

const geoChild = ['src/geo/gdal/', 'src/geo/formats/', 'src/geo/child/'];
const runChild = ['src/landscape/compute/child/'];
const composers = ['src/runtime/', 'src/commands/'];
const leaves = ['src/lib/', 'src/messages/', 'src/json/'];

export const walls: readonly Wall[] = [
  {
    behind: ['gdal-async'],
    importers: [...geoChild, ...runChild, 'tools/compare/', 'test/'],
    why: 'only child processes load GDAL',
  },
  {
    behind: ['@napi-rs/canvas'],
    importers: ['src/maps/thread/canvas/'],
    why: 'only drawing threads load the canvas, and nothing but text that is cleaned reaches it',
  },
  {
    behind: ['src/geo/gdal/', 'src/geo/formats/'],
    importers: [
      ...geoChild,
      ...runChild,
      'src/maps/thread/',
      'tools/compare/',
      'src/landscape/spread/sources/', // only headers, from files that a child has checked: decision 64
    ],
    why: 'only child processes and drawing threads read files of users',
  },
  {
    behind: ['src/geo/child/', ...runChild],
    importers: [...runChild, 'tools/compare/'],
    why: 'a parent starts a child program and imports nothing of it',
  },
  {
    behind: [
      'src/object-store/directory.ts',
      'src/object-store/s3/',
      'src/message-queue/postgres.ts',
      'src/message-queue/nats/',
      'src/database/embedded/',
    ],
    importers: [
      ...composers,
      'src/remote/bucket-files.ts', // buckets of others, whose protocol S3 is, whatever store the service has: decision 104
    ],
    why: 'only runtime/ and commands/ know which driver is in use',
  },
  {
    behind: ['@temporalio/'],
    importers: ['engines/temporal/'],
    why: 'the SDK is part of a package of its own, which is loaded only for those who use it',
  },
  {
    behind: ['engines/temporal/'],
    importers: [],
    why: 'nothing imports a package that may not be installed; runtime/ loads it by its address',
  },
  {
    behind: ['src/geo/parent/'],
    importers: [...composers, 'src/landscape/compute/driver.ts', 'tools/compare/'],
    why: 'only runtime/, commands/ and the driver of runs start child processes',
  },
  {
    behind: ['src/maps/thread/'],
    importers: [],
    showsTypes: true,
    why: 'the pool starts drawing threads; nothing imports what they run',
  },
  {
    behind: ['tools/'],
    importers: ['test/'],
    why: 'the service works without the tools',
  },
  {
    within: geoChild,
    imports: [...leaves, 'common/charset/', 'common/formats/', 'common/xml-text.ts', 'src/geo/'],
    why: 'a geo child knows no part of the service, and no Landscape Program',
  },
  {
    within: runChild,
    imports: [...leaves, ...geoChild, 'src/geo/', 'src/landscape/', 'common/landscape/'],
    why: 'a child process knows no part of the service that started it',
  },
  {
    within: ['src/maps/thread/'],
    imports: [...leaves, 'common/', 'src/maps/png/', 'src/geo/formats/tiff/'],
    why: 'a drawing thread reads TIFF alone and knows no part of the service',
  },
  {
    within: ['engines/temporal/workflow.ts'],
    imports: ['src/landscape/spread/pass-workflow.ts'],
    packages: ['@temporalio/workflow'],
    why: 'a workflow is bundled, and replayed from its history on any machine',
  },
  {
    within: ['src/lib/'],
    imports: ['common/xml-text.ts'],
    why: 'every part may use lib/',
  },
  {
    within: ['src/messages/'],
    imports: ['src/lib/', 'common/kazakh/'],
    why: 'sentences know no part of the service',
  },
  {
    within: ['common/'],
    imports: [],
    packages: ['lru-cache', 'saxes', 'simple-statistics'],
    why: 'the service and the page import it, in a browser as well, and it imports neither',
  },
  {
    within: ['console/src/'],
    imports: ['common/', 'console/generated/', 'examples/'],
    why: 'the page knows the service over HTTP alone',
  },
  {
    within: ['tools/service-client.ts', 'tools/demo.ts', 'tools/survey/'],
    imports: ['src/lib/'],
    why: 'a client knows the service over HTTP alone',
  },
  {
    within: ['test/acceptance/'],
    imports: ['test/support/'],
    why: 'a stranger knows the service over HTTP alone',
  },
];

/** Lists the imports that break a wall. */
export function breachesOf(wall: Wall, imports: readonly Import[]): readonly string[] {
  const breaches = imports.filter(({ file, target, isPackage, isType }) => {
    if ('behind' in wall) {
      return (
        isIn(target, wall.behind) &&
        !wall.behind.some((place) => isIn(target, [place]) && isIn(file, [place])) &&
        !isIn(file, wall.importers) &&
        !(isType && wall.showsTypes === true)
      );
    }
    if (!isIn(file, wall.within)) return false;
    if (isPackage) return wall.packages?.includes(target) === false;
    return !isIn(target, [...wall.within, ...wall.imports]);
  });
  return breaches.map(({ file, target }) => `${file} imports ${target}: ${wall.why}`);
}

function isIn(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || (place.endsWith('/') && path.startsWith(place)));
}
