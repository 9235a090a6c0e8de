import { packed } from '../../../../common/maps/raster/colouring.ts';
import { mix, parseColour, type Rgba } from '../../../../common/maps/style/colour-map.ts';

/** Packed pixels by class, for each of the 65,536 classes. A class is hatched if its colours in `stripes` and `fill` differ. */
export interface ClassColours {
  readonly fill: Uint32Array;
  readonly stripes: Uint32Array;
}

/** The drawing of a class. */
interface ClassDrawing {
  /** `#rrggbb` */
  readonly color: string;
  /** True for a class that the map is not about: its colour is close to that of paper. */
  readonly isPale?: boolean;
  readonly isHatched?: boolean;
}

const paper: Rgba = [247, 246, 242, 255];
const ink: Rgba = [29, 39, 51, 255];
const paleness = 0.78;
const hatching = 0.7;

/** The colour of a class on the map. */
export function shownColour({ color, isPale = false }: ClassDrawing): Rgba {
  const own = parseColour(color) ?? ink;
  return isPale ? mix(own, paper, paleness) : own;
}

/** Makes a table of colours for classes up to `last`; classes without a drawing stay transparent. */
export function classColoursOf(
  last: number,
  drawingOf: (number: number) => ClassDrawing | undefined,
): ClassColours {
  const [fill, stripes] = [new Uint32Array(65_536), new Uint32Array(65_536)];
  for (let number = 0; number <= last; number += 1) {
    const drawing = drawingOf(number);
    if (drawing === undefined) continue;
    const colour = shownColour(drawing);
    fill[number] = packed(...colour);
    stripes[number] =
      drawing.isHatched === true ? packed(...mix(colour, ink, hatching)) : (fill[number] ?? 0);
  }
  return { fill, stripes };
}
