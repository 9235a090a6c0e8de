import { readCrsMember } from './crs-member.ts';
import { readFeatures, surveyDocument, type DocumentSurvey } from './document.ts';
import { readGeometry } from '../features/geometry.ts';
import type { SourceCrs, VectorFile } from '../features/vector-file.ts';

/** GeoJSON has one layer, which has no name. */
const layerName = 'GeoJSON';

/**
 * Opens a GeoJSON file. GDAL has no part in it: properties are those of the text.
 * @throws {Problem} when it is no GeoJSON.
 */
export function openGeoJson(path: string, options: { readonly gatherColumns: boolean }): VectorFile {
  const survey = surveyDocument(path, options);
  return {
    source: {
      driver: 'GeoJSON',
      layer: null,
      layers: [{ name: layerName, features: survey.featureCount, geometry_types: [] }],
      encoding: 'UTF-8',
      encoding_from: 'format',
    },
    crs: crsOf(survey),
    columns: survey.columns,
    *features({ geometry: withGeometry }) {
      let number = 0;
      for (const { properties, geometry } of readFeatures(path, survey)) {
        number += 1;
        const shape = withGeometry && geometry !== undefined;
        yield { properties, geometry: shape ? readGeometry(geometry, `feature ${number}`) : undefined };
      }
    },
  };
}

function crsOf(survey: DocumentSurvey): SourceCrs {
  const member = readCrsMember(survey.crs);
  if (member.kind === 'epsg') return member;
  return { kind: member.kind === 'wgs84' ? 'wgs84' : 'unknown-member' };
}
