/** Drawn maps: decision 31. */
export const rows = {
  'D8 left out':
    'POST …/sld names in X-Style-Left-Out, with commas, what of the style is not drawn; absent when all is',
  'D8 style report':
    'GET …/sld/report says what is drawn of the style of a dataset, else of its group: kind, title, entries, left_out',
  'D8 style report 404': 'It is 404 without a style, and without a dataset or a group',
};
