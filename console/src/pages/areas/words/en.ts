import { pluralsOf } from '../../../words/plural.ts';

const plural = pluralsOf('en');

/** Areas that add up, as formatted numbers. */
interface Sum {
  readonly classes: string;
  readonly noData: string;
  readonly outside: string;
  readonly area: string;
}

export const areas = {
  title: 'Hectares by district and region',
  by: 'Units',
  levels: {
    district: 'Districts',
    region: 'Regions',
    okrug: 'Rural districts',
    settlement: 'Settlements',
    republic: 'Country',
    all: 'Whole country',
  },
  units: {
    district: 'District',
    region: 'Region',
    okrug: 'Rural district',
    settlement: 'Settlement',
    republic: 'Country',
    all: 'Unit',
  },
  failed: 'The hectares could not be read.',
  counting: 'The service is counting hectares. This is done once; the table appears here automatically.',
  tableOf: (name: string) => `Hectares of ${name}`,
  shares: 'With a class, ha and shares',
  noData: '+ No data, ha',
  outside: '+ Outside the raster, ha',
  area: '= Unit, ha',
  total: 'All units together',
  nothing: 'no class here',
  sort: 'Sort by this column',
  onMap: 'Show on the map',
  beyond: (count: number) =>
    `Also show ${count} ${plural(count, { one: 'unit', other: 'units' })} outside the raster`,
  sum: ({ classes, noData, outside, area }: Sum) =>
    `Classes ${classes} ha + no data ${noData} ha + outside the raster ${outside} ha = ${area} ha.`,
  agrees: 'In every row the parts and the whole agree to the square metre.',
  differs: (metres: string) => `Parts and whole differ by up to ${metres} m².`,
  raster: (area: string, none: string) =>
    `The raster covers ${area} ha, of which ${none} ha lie in none of these units.`,
  overlap: (area: string) => `${area} ha lie in two units and are counted in both.`,
  method: (version: number) =>
    `Mapped area, geodesic on WGS 84, at full resolution; a pixel on a border is counted by the share that the unit covers. This is not a boundary survey. Borders of districts: version ${version}.`,
  csv: 'CSV',
  xlsx: 'Excel',
  own: {
    title: 'Hectares in polygons of my own',
    lead: 'Fields, pastures or any other areas as GeoJSON in degrees (WGS 84): up to 1,000 polygons, 5 MB. The areas are counted, and the file is not stored.',
    choose: 'Choose a GeoJSON file',
    drop: 'or drop it here',
    counting: 'The service is counting hectares in your polygons.',
    failed: (file: string) => `${file} could not be counted.`,
    again: 'Try again',
    polygon: 'Polygon',
    numbered: (number: number) => `No. ${number}`,
    union: 'All together, each place once',
    tableOf: (file: string) => `Hectares of zones in ${file}`,
    overlap: (area: string) =>
      `The polygons overlap by ${area} ha: the rows together are more than the land that they cover.`,
    wrong: {
      empty: (file: string) => `${file} is empty.`,
      large: (file: string) => `${file} is larger than 5 MB. Simplify the borders, or split the file.`,
      notJson: (file: string) => `${file} is not JSON. Save the polygons as GeoJSON and choose them again.`,
      notGeoJson: (file: string) => `${file} is JSON, but not GeoJSON: it has no features.`,
      none: (file: string) => `${file} has no polygons. Points and lines have no area.`,
      many: (file: string, count: number) =>
        `${file} has ${count} features, and 1,000 can be counted at once. Split the file.`,
    },
  },
};
