/** Section 3.2 of the interface. */
export const rows = {
  '3.2 run states': 'A run is queued, running, succeeded or failed',
  '3.2 node states': 'A node is pending, running, skipped, succeeded or failed',
  '3.2 create':
    'POST /landscape/runs with valid params and overrides: queued, one pending node per graph node, job published, 202',
  '3.2 skipped': 'skipped: the result of a previous run with an identical fingerprint was reused',
};
