import { leaves, nodes } from '../support/graph.ts';

/** Promises of the design of the Landscape Program that a client can see, by its sections. */
export const rows: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    leaves.map(({ key, title, valid }) => [
      `L2 ${key}`,
      `Slot landscape-in-${key}, ${title}; valid: ${'classes' in valid ? valid.classes.join(', ') : `${valid[0]} to ${valid[1]}`}`,
    ]),
  ),
  'L2 scale': 'Band 1 is read; band scale and offset are applied; values are rounded to float32',
  'L2 types': 'Any real type is accepted; a float raster of classes where its values are whole',
  'L2 invalid': 'A value out of range, an unknown class, NaN or infinity is nodata',
  'L2 leaf nodata': 'Nodata of a leaf makes its consumers nodata at that pixel',
  'L2 protected nodata': 'protected-areas: nodata, an unknown value or no coverage is class 0',
  'L3.1 float output': 'Continuous output: float32, nodata -9999',
  'L3.1 class output': 'Class output: uint8, nodata 0',
  'L3.1 implicit dem': 'dem is an input of every node, in its inputs and its fingerprint',
  'L3.1 allocable': 'Stage-2 outputs are valid only where node 05 is 1',
  ...Object.fromEntries(
    nodes.map(({ code, group, title, reads }) => [
      `L3.2 ${code}`,
      `Node ${code}, ${title}: ${group} from ${reads.join(', ')}`,
    ]),
  ),
  'L3.2 params': 'tie_priority concerns 32, the four thresholds 33; what follows through them alone',
  'L3.2 window_size': 'window_size enters no fingerprint and changes no value',
  'L3.3 ground': 'Slope and ruggedness are over the ground, also on a geographic grid',
  'L4 grid': 'The dem of the run is the reference grid: all outputs have its CRS, geotransform and size',
  'L4 alignment': 'Other rasters are sampled at the centres of its pixels, whatever their CRS and grid',
  'L4 nearest': 'Classes: the pixel that contains the point',
  'L4 bilinear':
    'Numbers: the four centres around it, nodata dropped, valid from half the weight on, indexes clamped',
  'L4 outside': 'Outside of an input: nodata (protected-areas: 0)',
  'L4 output file': 'A single-band COG, tiled 512, its nodata in the band metadata',
  'L4 output dataset':
    'automated, category landscape, dg_id, name = title, unit, meta = {run_id, node, fingerprint, graph_version}',
  'L4 later run':
    'A later run on the same inputs wins by created_at; one on older data displaces nothing fresher',
  'L4 nodata table': 'Which inputs make which node nodata',
  'L5.1 ties': 'Node 32: of the sectors with the greatest suitability, the first of tie_priority',
  'L5.2 zones': 'Node 33: V1, V2, V3 of E and S by the thresholds, tested in this order',
  'L5.2 order': 'Thresholds in any order: V1 is tested first',
  'L5.3 codes': 'Node 34: 10 + sector in V1, 20 + sector in V2, 31 and 32 in V3, 40 not allocable, 0 nodata',
  'L5.3 zoning colours': 'The 13 colours of functional zoning',
  'L5.3 other colours': 'The colours of suitability, sensitivity, sectors, zones and allocable land',
  'L5.3 ramps': 'Continuous nodes are ramps over their ranges',
  'L5.3 SLD': 'RasterSymbolizer with a ColorMap of type values for classes, ramp for numbers',
  'L6 golden': 'The worked example: all 19 outputs, and those of other parameters',
  'L8.1 empty': 'Empty body: 202, all defaults',
  'L8.1 malformed': 'Not parsable JSON, or not an object: 400 Error',
  'L8.1 integers':
    'window_size, a threshold or from_stage out of bounds or not an integer: 422 under its name',
  'L8.1 tie_priority': 'Not 5 integers that are a permutation of 1..5: 422, params.tie_priority',
  'L8.1 overrides shape': 'overrides not an object, a value not a uuid: 422, overrides.<group>',
  'L8.1 override key': 'A key that is no input of any node: 422 “not an input group of the graph”',
  'L8.1 pinned': 'A pinned dataset that is missing, no raster or not ready: 422 with a sentence for each',
  'L8.1 thresholds': 'Any order of the four thresholds is accepted',
  'L8.1 unknown': 'Unknown properties are ignored; null params or overrides count as omitted',
  'L8.1 pinned output':
    'An override may pin an output group: consumers read the pin, the producing node still runs; no membership needed',
  'L8.1 missing leaf': 'A missing leaf is no error of creation: the run fails later',
  'L8.2 404': 'An unknown code is 404; output groups are no slots',
  'L8.2 422': '422: no file, extension, first bytes, bad date, end_date before start_date',
  'L8.2 bytes': 'First bytes of a TIFF: 49492A00, 4D4D002A, 49492B00, 4D4D002B',
  'L8.2 400': 'A body that is not multipart is 400',
  'L8.2 413': 'Over the limit is 413',
  'L8.2 content': 'The content (CRS, range) is judged by processing and by runs',
  'L8.3 leaves first': 'All 13 leaves are resolved before any node runs; nodes go in code order',
  'L8.3 upstream':
    'Inputs from upstream are what those nodes produced or reused in this run, unless overridden',
  'L8.3 fingerprint':
    'sha256 of {"inputs":[[group,id],...],"node":code,"params":{...}}: keys sorted, no blanks, inputs sorted, dem included',
  'L8.3 reuse':
    'Reused: the newest earlier node of this fingerprint whose output is still ready; it is listed in outputs',
  'L8.3 from_stage': 'A recomputed node gets a new dataset, so that its consumers change',
  'L8.3 results': 'Results show the freshest raster of each group, which need not be of the newest run',
  'L8.3 failure':
    'First failing node: failed with error; the run has it behind the code; nodes not started stay pending; finished outputs stay',
  'L8.3 worker died': 'A run whose worker died is taken up again with the output ids that were reserved',
  'L8.4 no raster': 'no ready raster for input groups: …',
  'L8.4 deleted': 'dataset … of group … is not available',
  'L8.4 unreadable': 'input group …: raster cannot be read',
  'L8.4 reference': 'reference raster: no CRS, not north-up, too many pixels',
  'L8.4 CRS': 'input group …: CRS missing or not supported',
  'L8.4 overlap': 'input group … does not overlap the reference grid',
  'L8.4 valid pixel': 'input group … has no valid pixel on the reference grid; check unit, scale and nodata',
  'L8.4 store': 'node …: output could not be stored',
  'L8.4 internal': 'node …: internal error',
  'L8.4 invalid pixels': 'Out-of-range pixels are no error: meta.invalid_pixels counts them per input group',
};
