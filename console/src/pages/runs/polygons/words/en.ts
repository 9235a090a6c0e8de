import { pluralsOf } from '../../../../words/plural.ts';

const plural = pluralsOf('en');

export const polygons = {
  title: 'Zones as polygons',
  lead: 'Each contiguous zone becomes a polygon of a GeoPackage, and the file a dataset. Outlines follow the pixels and are not simplified.',
  minArea: 'Smallest zone, ha',
  minAreaHint:
    'Empty: every zone stays. Otherwise smaller zones join the class along most of their border, which moves hectares between classes.',
  by: 'Cut by',
  whole: 'Zones whole',
  wrong: 'The smallest zone must be a number above 0 and up to 1,000,000; the field can be left empty.',
  make: 'Make polygons',
  making: 'The service is making polygons. This is done once; the result appears here automatically.',
  failed: 'The polygons could not be made.',
  none: 'This run has no polygons yet.',
  allZones: 'All zones',
  from: (area: string) => `From ${area} ha`,
  zones: (count: number) => `${count} ${plural(count, { one: 'polygon', other: 'polygons' })}`,
  stay: (count: number) =>
    `${count} ${plural(count, { one: 'zone stays', other: 'zones stay' })} smaller: no other zone borders on ${plural(count, { one: 'it', other: 'them' })}.`,
  dataset: 'Dataset',
  class: 'Zone',
  zonesBefore: 'Zones before',
  zonesAfter: 'Zones after',
  pixels: 'Pixels, ha',
  polygons: 'Polygons, ha',
  difference: 'Difference, ha',
};
