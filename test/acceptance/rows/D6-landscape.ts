/** Section 6 of the decisions. */
export const rows = {
  'D6 legends': 'Output groups get their legend as a shared SLD when they are seeded',
  'D6 dry run': 'dry_run=true: 200 with the run as it would start, nodes pending or skipped, nothing stored',
  'D6 params complete': 'params always come back complete; overrides {} and from_stage null when omitted',
  'D6 null omitted': 'A null params, overrides or from_stage counts as omitted',
  'D6 null inside': 'A null inside params or overrides is 422',
  'D6 nodes': 'The 202 and GET /landscape/runs/{id} carry nodes; list items have nodes: null',
  'D6 fingerprint': 'A fingerprint is lower-case hex, "" until the run has resolved its inputs',
  'D6 one by one': 'Runs are executed one after the other, oldest first',
  'D6 planned once': 'A run is planned when it starts; its plan is stored in its nodes in one transaction',
  'D6 pass running':
    'In a fused pass all nodes turn running when it starts and succeeded one by one as they are published',
  'D6 pass failure':
    'A failure inside the pass marks the lowest-code node concerned; published ones stay succeeded, others return to pending',
  'D6 run error': 'The error of a failed run is its lowest failed node, a colon, a blank and its error',
  'D6 unit': "An output's unit is the one that its title names, else null",
  'D6 dates': "An output's dates are the earliest and latest of all dates of the node's inputs",
  'D6 missing leaves':
    'Without a ready raster in a leaf nothing is computed: the lowest node that reads one fails and names all, the rest stay pending',
  'D6 dry run missing': 'A dry run answers 200 whatever is missing; that node has the error it would have',
  'D6 unknown params': 'Unknown keys inside params are ignored and do not come back',
  'D6 meta overrides': "meta of an output also holds the run's overrides when it had any",
  'D6 slot rules': 'A slot upload follows every rule of POST /datasets, 413 included',
  'D6 restart': 'All data survives a restart; a run that was running goes on',
  'D6 undated': 'A slot upload without end_date never outranks a dated one; its report warns of it',
};
