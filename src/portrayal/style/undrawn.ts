/** A part of a style that is kept in the file and not drawn. */
export type Undrawn = 'labels' | 'hillshade' | 'contrast' | 'pictures' | 'strokes_of_signs' | 'filters';
