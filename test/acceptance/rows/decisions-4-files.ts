/** Section 4 of the decisions: HTTP on file routes. */
export const rows = {
  'D4 HEAD': 'HEAD on .cog, /download, .geojson, /sld',
  'D4 ETag': 'A strong ETag',
  'D4 If-None-Match': '304',
  'D4 Accept-Ranges': 'bytes',
  'D4 Range': 'A single Range: 206 with Content-Range',
  'D4 416': '416 with bytes */size',
  'D4 If-Range': 'If-Range',
  'D4 Content-Length': 'The exact Content-Length',
  'D4 no encoding': 'No content encoding',
  'D4 geojson encodings': '.geojson negotiates gzip and br, Vary: Accept-Encoding, one ETag per encoding',
  'D4 geojson range': 'A request with Range gets identity',
  'D4 client away': 'A client that goes away frees everything it held',
  'D4 vsicurl': 'gdalinfo /vsicurl/…/datasets/{id}.cog works and reads only the header',
  'D4 Link': 'Paged lists carry Link headers: first, prev, next, last; relative, other parameters kept',
  'D4 Link empty': 'An empty list has first only',
  'D4 Link past the end': 'Past the end prev is the last page',
};
