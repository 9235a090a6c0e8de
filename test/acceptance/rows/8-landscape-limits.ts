/** Section 8 of the interface, as far as it is about the Landscape Program. */
export const rows = {
  '8 window_size': '256..8192, default 2048',
  '8 tie_priority': 'exactly 5 items, each 1..5, a permutation of 1..5',
  '8 thresholds': 'v1_min_s_e12, v1_min_s_e3, v2_min_s_e3, v2_min_s_e4: 1..5',
  '8 from_stage': '0..3',
};
