/** Section 2.5 of the interface. */
export const rows = {
  '2.5 FeatureCollection': 'type FeatureCollection and features, an array (RFC 7946)',
  '2.5 Feature': 'type Feature, geometry or null, properties: an object with any keys, or null',
  '2.5 media type': 'application/geo+json',
};
