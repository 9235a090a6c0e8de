/** Section 7 of the decisions: additions beside the contract. */
export const rows = {
  'D7 language':
    'Accept-Language chooses ru, kk or en for {error}, {errors}, parse_error and warnings; without it, with * or any other language English',
  'D7 language headers':
    'Answers that depend on the language carry Vary: Accept-Language and Content-Language',
  'D7 failure': 'The report has failure {code, facts}, or null',
  'D7 capabilities':
    'GET /capabilities: {auth, scopes, max_upload_bytes, base_map}; no token: no scopes; a wrong one: 401',
  'D7 districts':
    'GET /districts.geojson?level=region|district&detail=coarse|fine: kato, name, name_kk, name_en, level; borders rounded to 0.01° or 0.001°',
  'D7 districts ETag':
    'The ETag of /districts.geojson goes by the districts; gzip, br and 304 as for .geojson',
  'D7 raster.proj':
    'The report of a raster has raster.proj: its CRS as a PROJ string with the shift of its datum, null when there is none',
  'D7 series':
    'GET /datasets/{id}/series: {dates, units: [{kato_code, values}], without_district: {codes, rows}}, by the rules of .geojson, without geometry',
  'D7 series refusals': 'Its 404, 409 and 422 are those of .geojson; a vector is 422 too',
  'D7 series ETag': 'Its ETag and its encodings are as those of .geojson',
  'D7 world-wide boxes':
    "A raster's bbox holds all of it that lies on the earth: -180 to 180 when it holds a pole or goes round",
  'D7 vanished geometry':
    'Geometry that vanishes is a warning geometry_lost, and failed when nothing is left of it',
  'D7 pole': 'A polygon that holds a pole is closed along it, through ±180 and ±90',
  'D7 retry mapping':
    'step=mapping puts a failed extraction back to awaiting_mapping, its mapping cleared; 409 where the file could not be read',
};
