import { faults, type Mutant } from './mutants.ts';

/** Faults of the forms in which a GeoJSON is stored and sent. */
export const geoJsonMutants: readonly Mutant[] = [
  ...faults('src/http/files/file-response.ts', 'src/http/files/file-response.test.ts', [
    [
      'the forms of a file share an ETag',
      'etagOf(key);',
      'etagOf(object.key);',
      'each form has its exact length and a strong ETag of its own, with HEAD too',
    ],
    [
      'a range is one of the encoded bytes',
      'headers.range === undefined ?',
      'true ?',
      'a range is one of the object as it is, whatever the client accepts',
    ],
    [
      'a form that is lost is taken for there',
      'if (encoded !== undefined) return { ...encoded, encoding };',
      'return { ...(encoded ?? { key: encodedKey, size: 0, [Symbol.dispose]() {} }), encoding };',
      'a form that the store has lost is not missed: the object is sent as it is',
    ],
  ]),
  ...faults('src/datasets/geojson-forms.ts', 'src/datasets/geojson-forms.test.ts', [
    [
      'br is gzip',
      `'.br', brEncoder`,
      `'.br', gzipEncoder`,
      'are objects of their own, which decode to what was given',
    ],
  ]),
  ...faults('src/object-store/fsck.ts', 'src/object-store/fsck.test.ts', [
    [
      'the check of the store forgets an encoded form',
      '  select geojson_br_storage_key from datasets union all\n',
      '',
      'knows every form of a GeoJSON and of series',
    ],
    [
      'the check of the store forgets a form of series',
      '  select series_gzip_storage_key from datasets union all\n',
      '',
      'knows every form of a GeoJSON and of series',
    ],
  ]),
  ...faults('src/catalogue/districts/rounded-borders.ts', 'src/catalogue/districts/rounded-borders.test.ts', [
    [
      'latitudes are rounded down',
      'Math.round(latitude *',
      'Math.floor(latitude *',
      'are all there with 2 decimals, and no gap opens between them',
    ],
    [
      'lines there and back are kept where a ring is closed',
      'start += 1',
      'return corners.slice(start, end)',
      'lose lines there and back, wherever the ring begins',
    ],
    [
      'small units vanish',
      'precision <= mostDecimals',
      'precision <= decimals',
      'keep what can be seen of a unit that would vanish, and nothing of one without extent',
    ],
  ]),
];
