/** Sections 8 and 9 of the interface. */
export const rows = {
  '8 page': 'page: a whole number from 1, 1 when absent, on all paginated lists',
  '8 page_size': 'page_size: 1 to 100, 20 when absent, on all paginated lists',
  '8 wait': 'wait: 0 to 60 seconds, 25 when absent',
  '8 body configured': 'the body limit is set by HTTP_MAX_UPLOAD_BYTES; over it is 413',
  '8 body default': 'the body limit is 2 GiB when nothing is set',
  '8 code length': 'codes of categories and groups: at most 255 characters',
  '8 name length': 'names of categories, groups and, in PUT and PATCH, datasets: at most 255 characters',
  '8 description length': 'descriptions of categories and groups: at most 2000 characters',
  '8 window_size': 'window_size: 256 to 8192, 2048 when absent',
  '8 tie_priority': 'tie_priority: exactly 5 items, each 1 to 5, a permutation',
  '8 thresholds': 'v1_min_s_e12, v1_min_s_e3, v2_min_s_e3, v2_min_s_e4: 1 to 5',
  '8 from_stage': 'from_stage: 0 to 3',
  '8 year_columns': 'year_columns: at least 1 item',
  '8 bbox': 'bbox of a raster: exactly 4 numbers',
  '9 version': 'the description of the interface carries version 1.0.0',
  '9 paths': 'paths carry no version segment',
};
