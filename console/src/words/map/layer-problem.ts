/** Why a layer cannot be shown; said in the row of the layer. */
export type LayerProblem =
  | 'gone'
  | 'not_ready'
  | 'no_place'
  | 'no_access'
  | 'away'
  /** A part of the page itself did not come. */
  | 'script'
  | 'unreadable'
  | 'bad_style'
  | 'no_band';
