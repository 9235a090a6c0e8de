/** Section 8 of the interface, but for the Landscape Program. */
export const rows = {
  '8 page': 'page: a whole number from 1, 1 when absent, on all paginated lists',
  '8 page_size': 'page_size: 1 to 100, 20 when absent, on all paginated lists',
  '8 wait': 'wait: 0 to 60 seconds, 25 when absent',
  '8 body configured': 'the body limit is set by HTTP_MAX_UPLOAD_BYTES; over it is 413',
  '8 body default': 'the body limit is 2 GiB when nothing is set',
  '8 code length': 'codes of categories and groups: at most 255 characters',
  '8 name length': 'names of categories, groups and, in PUT and PATCH, datasets: at most 255 characters',
  '8 description length': 'descriptions of categories and groups: at most 2000 characters',
  '8 year_columns': 'year_columns: at least 1 item',
  '8 bbox': 'bbox of a raster: exactly 4 numbers',
};
