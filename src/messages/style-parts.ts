import { sentences } from './define.ts';

/** What becomes of the parts of a style that are not drawn as the file has them, by their codes. */
export const styleParts = sentences('style_part', {
  labels: 'labels are not drawn',
  hillshade: 'shaded relief is not drawn',
  contrast:
    'contrast is changed by Normalize, Histogram and GammaValue alone, with numbers that can be read, and not on top of a colour map',
  pictures: 'pictures from other files are neither fetched nor drawn',
  strokes_of_signs: 'lines that are made of signs are not drawn',
  fills_of_signs: 'areas that are filled with signs or hatching are drawn in one colour',
  shapes: 'points of unknown shapes are drawn as circles',
  offsets: 'signs are neither shifted nor turned',
  sizes: 'sizes beyond their limits are drawn at the limit, and dashes that are no lengths as whole lines',
  units_of_measure: 'sizes in metres or feet are taken as pixels',
  vendor_options: 'options of single programs are not applied',
  filters: 'rules whose filter cannot be judged are not drawn, nor are the rules for everything else',
  expressions:
    'expressions that are not constant are not computed: a usual value is used, or the entry of a colour map is left out',
  missing_properties: 'rules over a property that no feature has draw nothing; names count letter by letter',
  interpolation: 'colours between two values change evenly, not along a curve or in an unknown way',
  colours: 'colours or opacities that cannot be read are not applied',
  quantities: 'numbers that are missing, not finite or given twice are not applied',
  decimal_commas:
    'numbers such as 1,234 are not applied: the comma may part thousands or begin a fraction; write 1234 or 1.234',
  channels: 'bands that are not named by number are not applied, nor are three bands beside a colour map',
  other_rasters: 'of several rasters at the same scale only the first is drawn',
  other_styles: 'of several layers or styles only one is drawn',
  long_texts: 'long titles and labels are shortened',
  stops_beyond_limit: 'of very many colours some are not drawn',
  rules_beyond_limit: 'of very many rules the last are not drawn, nor are those for everything else',
  elements_beyond_limit: 'the end of a very long file is not drawn',
});
