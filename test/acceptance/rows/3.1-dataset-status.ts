/** Section 3.1 of the interface. */
export const rows = {
  '3.1 states': 'No state but the seven of DatasetStatus',
  '3.1 lifecycle': 'pending, processing or parsing, awaiting_mapping, extracting, ready, or failed',
  '3.1 upload': 'An accepted upload is pending, its processing enqueued, 201 returned',
  '3.1 mapping': 'awaiting_mapping becomes extracting by a mapping; it is stored and the extraction enqueued',
  '3.1 re-map': 'ready becomes extracting by a mapping, under the same conditions',
  '3.1 failure': 'A processing failure makes any state failed; parse_error holds the reason',
  '3.1 PUT and PATCH': 'They never change file, file type or status',
};
