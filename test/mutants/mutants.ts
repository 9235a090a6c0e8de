/** A small fault that somebody could make, and the test that sees it. */
export interface Mutant {
  /** The behaviour that the fault breaks. */
  readonly title: string;
  readonly file: string;
  /** Stands exactly once in the file; `to` takes its place. */
  readonly from: string;
  readonly to: string;
  readonly test: { readonly file: string; readonly name: string };
}

type Fault = readonly [title: string, from: string, to: string, seenBy: string];

/** The faults of one source file that one test file sees. */
export function faults(file: string, testFile: string, list: readonly Fault[]): Mutant[] {
  return list.map(([title, from, to, name]) => ({ title, file, from, to, test: { file: testFile, name } }));
}

export const mutants: readonly Mutant[] = [
  ...faults('src/landscape/graph/kernels/slope.ts', 'test/landscape/golden.test.ts', [
    [
      'slope weighs the middle row once',
      'c + 2 * f + i',
      'c + f + i',
      'the golden 4 × 4 pixels give every output, all of them with default parameters',
    ],
    [
      'slope takes dx for dy',
      '(8 * dy)',
      '(8 * dx)',
      'slope and ruggedness know the size of a pixel in degrees',
    ],
  ]),
  ...faults('src/landscape/graph/kernels/slope.ts', 'test/landscape/synthetic.test.ts', [
    [
      'slope is a ratio, not a percentage',
      '100 * Math.sqrt',
      'Math.sqrt',
      '61 × 61 pixels of noise give the classes of the reference, and its numbers to the bit',
    ],
  ]),
  ...faults('src/landscape/graph/kernels/soil-loss.ts', 'src/landscape/graph/kernels/soil-loss.test.ts', [
    [
      'the steep slope factor begins above 9 %',
      'percent < 9 ? 10.8',
      'percent <= 9 ? 10.8',
      'from 9 % up slopes are steep',
    ],
    [
      'rain of 850 mm erodes by the first equation',
      'rain < 850',
      'rain <= 850',
      'from 850 mm up rain erodes by the second equation',
    ],
  ]),
  ...faults('src/landscape/graph/kernels/use-zone.ts', 'test/landscape/golden.test.ts', [
    [
      'the highest threshold of V1 is exclusive',
      's >= thresholds.v1_min_s_e12',
      's > thresholds.v1_min_s_e12',
      'the golden 4 × 4 pixels give the zoning of the parameters "strict"',
    ],
    [
      'V2 is never found at sensitivity 4',
      'e === 4 &&',
      'e === 5 &&',
      'the golden 4 × 4 pixels give every output, all of them with default parameters',
    ],
  ]),
  ...faults('src/landscape/graph/kernels/leading-sector.ts', 'test/landscape/golden.test.ts', [
    [
      'a tie goes to the sector of lower rank',
      'suitability > greatest',
      'suitability >= greatest',
      'the golden 4 × 4 pixels give every output, all of them with default parameters',
    ],
  ]),
  ...faults('src/landscape/grid/sample.ts', 'src/landscape/grid/align.test.ts', [
    [
      'interpolation needs no weight',
      'weight < 0.5',
      'weight <= 0',
      'is interpolated as the golden data are, around what has no value',
    ],
    [
      'bilinear sampling is shifted by half a pixel',
      '(rows[i] ?? 0) - 0.5',
      '(rows[i] ?? 0)',
      'is interpolated as the golden data are, around what has no value',
    ],
  ]),
  ...faults('src/landscape/grid/clean-pixels.ts', 'src/landscape/grid/align.test.ts', [
    [
      'the upper end of a range is invalid',
      'value <= max',
      'value < max',
      'has values within the range of its band, its ends included, and no others',
    ],
    [
      'a fraction is cut to a class',
      'code === value && ',
      '',
      'has the classes of its band, as whole numbers',
    ],
  ]),
  ...faults('src/landscape/grid/reference-grid.ts', 'src/landscape/grid/reference-grid.test.ts', [
    [
      'a lag is rounded down',
      'lagMetres / size + 0.5',
      'lagMetres / size',
      'lags differ by axis where degrees do, and are those of the middle row',
    ],
    [
      'web mercator does not stretch',
      'dx: resX * scale',
      'dx: resX',
      'web mercator stretches a pixel by the cosine of its latitude, on both axes',
    ],
  ]),
  ...faults('src/landscape/runs/plan.ts', 'src/landscape/runs/plan.test.ts', [
    [
      'a fingerprint forgets the parameters',
      'Object.fromEntries(Object.entries(params).toSorted(byKey))',
      '{}',
      'the fingerprint of node 32 is that of the design',
    ],
    [
      'a fingerprint depends on the order of inputs',
      '[...inputs].toSorted(byKey)',
      '[...inputs]',
      'the fingerprint of node 32 is that of the design',
    ],
  ]),
  ...faults('src/landscape/runs/plan.ts', 'src/landscape/runs/plan.test.ts', [
    [
      'from_stage reuses its own stage',
      'node.stage < fromStage',
      'node.stage <= fromStage',
      'from_stage computes its nodes and later ones whatever there is, and what comes before is reused',
    ],
    [
      'a pinned output does not reach its readers',
      'if (!Object.hasOwn(overrides, node.output.group)) rasters',
      'rasters',
      'who reads a pinned output reads the pin, and its own node is computed all the same',
    ],
  ]),
  ...faults('src/jobs/ledger.ts', 'src/jobs/ledger.test.ts', [
    [
      'the fence forgets the attempt',
      `where('attempt', '=', hold.attempt)
    .where('state', '=', 'running')
    .executeTakeFirst();
  if (numUpdatedRows`,
      `where('state', '=', 'running')
    .executeTakeFirst();
  if (numUpdatedRows`,
      'raises the attempt with every claim, and only the last claim can end the job',
    ],
    [
      'a lost lease goes unnoticed',
      '!isHeld(hold)',
      'isHeld(hold) && false',
      'keeps a lease alive by renewing it, and names the attempts that lost theirs',
    ],
    [
      'a dead job does not back off',
      'queuedAfter(job.backOffSeconds)',
      'queuedAfter(0)',
      'lets a job whose workers die wait longer from the third time on, and never gives it up',
    ],
  ]),
  ...faults('src/object-store/ledger.ts', 'src/object-store/ledger.test.ts', [
    [
      'a draft is registered after its bytes',
      `if (entry?.state === 'live') return;`,
      '',
      'keeps a draft that was published',
    ],
  ]),
  ...faults('src/http/files/conditions.ts', 'src/http/files/conditions.test.ts', [
    [
      'If-Match compares weakly',
      '([tag]) => tag === etag',
      '([, opaque]) => opaque === etag',
      'W/"abc" does not hold for "abc"',
    ],
    [
      'a range ends one byte late',
      'Math.min(end, size - 1)',
      'Math.min(end, size)',
      'bytes=90- is {"start":90,"end":99}',
    ],
    [
      'a suffix of nothing is satisfiable',
      'length === 0 || size === 0',
      'size === 0',
      'bytes=-0 is "unsatisfiable"',
    ],
  ]),
  ...faults('src/datasets/table/number-text.ts', 'src/datasets/table/number-text.test.ts', [
    ['a comma is always decimal', `commas === 'thousands')`, 'false)', '1,234 reads as its column does'],
    [
      'a leading zero may part thousands',
      '!leadingZero.test(trimmed)',
      'true',
      'commas in a column of "0,125", "1,234" are decimal',
    ],
    [
      'minus zero stays',
      'value === 0 ? 0 : value',
      'value',
      '"-0" is the number 0, however the commas of its column read',
    ],
  ]),
  ...faults('src/datasets/table/unpivot.ts', 'src/datasets/table/unpivot.test.ts', [
    [
      'a row without a code is kept',
      'if (found === undefined) return undefined;',
      "if (found === undefined) return { katoCode: '', readings: [] };",
      'a short row gives empty values, and a row without a code gives none',
    ],
    [
      'long codes are taken',
      'length > maxCodeCharacters',
      'length < 0',
      'a column that is not there, and a text that cannot be a code, are told to the user',
    ],
  ]),
  ...faults('src/geo/parent/sandbox/limits.ts', 'src/geo/parent/sandbox/limits.test.ts', [
    ['core dumps are allowed', `'--core=0',`, `'--core=1',`, 'what is not limited is not named'],
    [
      'a limit may exceed the ceiling',
      'Math.min(wanted, ceiling)',
      'wanted',
      'no limit goes beyond one that is set on the service itself, which only root could raise',
    ],
  ]),
  ...faults('src/geo/child/raster/cog-options.ts', 'src/geo/child/raster/cog-options.test.ts', [
    [
      'few values of measurements are classes',
      'gentle < changing * minGentle',
      'true',
      'classes: the heights of a plain are none, though they are few',
    ],
    [
      'many values are classes',
      'if (distinct.size > maxClasses) return false;',
      'if (distinct.size > maxClasses) return true;',
      'classes: more values than any legend has are none',
    ],
  ]),
  ...faults('src/geo/child/raster/cog-options.ts', 'src/geo/child/raster/cog-options.test.ts', [
    [
      'an overview of classes is averaged',
      `classes ? 'MODE' : 'AVERAGE'`,
      `'AVERAGE'`,
      'gets no overview values that no pixel has as soon as one band holds classes',
    ],
    [
      'overviews of the file are trusted',
      `OVERVIEWS: 'IGNORE_EXISTING'`,
      `OVERVIEWS: 'AUTO'`,
      'is deflated, tiled 512, and never takes overviews that came with the file',
    ],
  ]),
  ...faults(
    'src/geo/formats/shapefile/charset/choose.ts',
    'src/geo/formats/shapefile/charset/choose.test.ts',
    [
      [
        'a cpg that says UTF-8 is believed',
        'if (fits(charset, evidence)) return',
        'if (charset.name === utf8.name || fits(charset, evidence)) return',
        'is not UTF-8, whatever is said, when the bytes are none',
      ],
      [
        'texts that are UTF-8 are guessed by their letters',
        'if (evidence.isUtf8) return',
        'if (!evidence.isUtf8) return',
        'is UTF-8 when nothing is said and all bytes are',
      ],
    ],
  ),
  ...faults('src/geo/formats/tiff/limits.ts', 'src/geo/formats/tiff/limits.test.ts', [
    [
      'a raster may have any number of values',
      'values > maxValues)',
      'values < 0)',
      'are bounded at 25,000,000,000 values',
    ],
    [
      'a raster may have any number of bands',
      'bands > maxBands)',
      'bands < 0)',
      'may tell of hundreds of images and thousands of bands',
    ],
  ]),
  ...faults('src/geo/formats/zip/archive.ts', 'src/geo/formats/zip/archive.test.ts', [
    [
      'a checksum is not compared',
      ' || checksum !== entry.crc32',
      '',
      'is refused when it is cut short or its bytes have changed',
    ],
  ]),
  ...faults('src/geo/child/raster/bbox.ts', 'src/geo/child/raster/bbox.test.ts', [
    [
      'the antimeridian is not crossed',
      'lon += nearest(next - lon);',
      'lon = next;',
      'has west greater than east across the antimeridian',
    ],
    [
      'a pole is not held',
      'Math.abs(lon - first[0]) > 180',
      'false',
      'holds the pole that its outline runs around',
    ],
  ]),
  ...faults('src/access/token-text.ts', 'src/access/token-text.test.ts', [
    [
      'a mistyped token is looked up',
      'checksum === checksumOf(text) ? id : undefined',
      'id',
      'a mistyped token is told by itself',
    ],
  ]),
  ...faults('src/http/access/route-scopes.ts', 'src/http/access/route-scopes.test.ts', [
    [
      'a route needs no scope',
      'if (scopeOf(each, url) === undefined) throw',
      'if (false) throw',
      'a route that has no scope cannot be registered',
    ],
    [
      'HEAD needs no scope',
      `method === 'HEAD' ? 'GET' : method`,
      'method',
      'a route that has no scope cannot be registered',
    ],
  ]),
  ...faults('src/jobs/retry-decision.ts', 'src/jobs/retry-decision.test.ts', [
    [
      'an engine may die for ever',
      'engineDeaths >= maxEngineDeaths',
      'false',
      'gives an engine that died two more tries, then a sentence for the user',
    ],
    [
      'a refused value is tried again',
      '(?:22|54)',
      '(?:99)',
      'is final for a value that the database refuses, in words of our own',
    ],
  ]),
  ...faults('src/landscape/runs/source-faults.ts', 'src/landscape/runs/source-faults.test.ts', [
    [
      'a grid may be larger than allowed',
      'grid.width * grid.height <= maxPixels',
      'true',
      'a grid may have as many pixels as are allowed, and no more',
    ],
    [
      'a source without a value is accepted',
      'seen.valid > 0',
      'seen.valid >= 0',
      'one valid pixel is enough; without overlap and without value are told apart',
    ],
  ]),
  ...faults('src/datasets/original/file-name.ts', 'src/datasets/original/file-name.test.ts', [
    [
      'a file name keeps its folders',
      'split(/[/\\\\]/).at(-1)',
      'split(/[/\\\\]/).at(0)',
      '"../../etc/x.tif" is kept as "x.tif"',
    ],
  ]),
];
