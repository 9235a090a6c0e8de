import { attacksBy, systemWithGrid, vectorPlaces, vectorVrt, type Attack, type Targets } from './attack.ts';

/** A collection of the point at 70° E, 50° N, with these members beside its features. */
export function onePoint(members: object, properties: object = { name: 'harmless' }): string {
  const geometry = { type: 'Point', coordinates: [70, 50] };
  const features = [{ type: 'Feature', properties, geometry }];
  return JSON.stringify({ type: 'FeatureCollection', ...members, features });
}

/** Plain GeoJSON, which becomes ready, whatever it contains beside its point. */
export function attackGeoJson(targets: Targets): readonly Attack[] {
  const { canaryCsv, urls } = targets;
  const attack = attacksBy('GeoJSON', 'vector', 'a.geojson');
  const links = [`${urls[0]}/crs`, `file://${canaryCsv}`];
  const systems: readonly object[] = [
    { type: 'link', properties: { href: links[0], type: 'ogcwkt' } },
    { type: 'url', properties: { url: links[1] } },
    { type: 'name', properties: { name: systemWithGrid(canaryCsv) } },
  ];
  return [
    ...systems.map((crs, index) => attack(`a reference system elsewhere, ${index}`, onePoint({ crs }))),
    attack('a virtual file', vectorVrt(vectorPlaces(targets)), 'refused'),
    attack('a virtual file in a member', onePoint({ description: vectorVrt(vectorPlaces(targets)) })),
    attack(
      'what other drivers take for theirs',
      onePoint({
        schema: { $ref: `${urls[0]}/schema` },
        links: links.map((href) => ({ href, rel: 'next' })),
        stac_version: '1.0.0',
        assets: { a: { href: canaryCsv } },
        type_of: 'Topology',
        xy_coordinate_resolution: 1,
        spatialReference: { wkt: systemWithGrid(canaryCsv) },
      }),
    ),
    {
      ...attack(
        'places as names and values',
        onePoint({}, Object.fromEntries(vectorPlaces(targets).map((place) => [place, place]))),
        'awaiting_mapping',
      ),
      fileType: 'vector_with_kato',
    },
  ];
}
