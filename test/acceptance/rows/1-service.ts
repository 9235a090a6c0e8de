/** Section 1 of the interface. */
export const rows = {
  '1 file types':
    'An HTTP API for hierarchical categories and geo datasets of vector, vector_with_kato and raster',
  '1.1 upload': 'A geo file is uploaded as multipart form data',
  '1.1 validation': 'An upload is validated by file_type, file extension and magic bytes',
  '1.1 asynchronous': 'Processing is asynchronous; the answer comes at once with status pending',
  '1.2 vector': 'vector: attribute table and geometry become the GeoJSON output',
  '1.2 raster': 'raster: becomes a COG at GET /datasets/{id}.cog; bbox comes from its extent',
  '1.2 vector_with_kato':
    'vector_with_kato: detected columns are attribute_columns; a mapping unpivots values into observations',
  '1.3 polling': 'Progress is followed at GET /datasets/{id}/status, also as a long poll',
  '1.4 groups': 'Groups hold same-named datasets of different periods; the greatest end_date is the freshest',
  '1.4 styles': 'A group may share an SLD; a dataset may have its own',
  '1.5 graph': 'The Landscape Program is a graph of computations over rasters',
  '1.5 slots': 'Each leaf input (slot) is a dataset group that is filled by uploading a GeoTIFF',
  '1.5 runs': 'A run executes the graph asynchronously; nodes of an unchanged fingerprint are reused',
  '1.5 results': 'Output groups hold the computed rasters; results give the freshest ready one of each',
  '1.6 components': 'Database, object store and message queue are what the readiness probe checks',
};
