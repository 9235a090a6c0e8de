import type { Rgba } from '../../style/colour-map.ts';
import { createCoverage, type Pixel } from './coverage.ts';

/** Corners of a round dot. */
const corners = 16;
/** A shorter piece of a line is not seen. */
const leastPiece = 0.25;

/** A picture that shapes are painted on, one over the other. */
export interface Canvas {
  /** Fills areas: outer rings clockwise on the screen, holes the other way. */
  areas(rings: Iterable<readonly Pixel[]>, colour: Rgba): void;
  /** Draws lines. @param width in pixels */
  lines(lines: Iterable<readonly Pixel[]>, colour: Rgba, width: number): void;
  /** Draws round dots. @param radius in pixels */
  dots(points: Iterable<Pixel>, colour: Rgba, radius: number): void;
  /** Draws circles. @param radii of the inner and of the outer side of their line, in pixels */
  circles(points: Iterable<Pixel>, colour: Rgba, radii: readonly [inner: number, outer: number]): void;
  /** Red, green, blue and opacity of each pixel, row by row. */
  pixels(): Uint8Array<ArrayBuffer>;
}

/** Creates a transparent picture. Whatever is painted must lie within it. */
export function createCanvas(width: number, height: number): Canvas {
  // Colours are multiplied by their opacity, so that layers add up.
  const painted = new Float32Array(width * height * 4);
  const coverage = createCoverage(width, height);

  function paint([red, green, blue, alpha]: Rgba): void {
    const opacity = alpha / 255;
    coverage.take((index, share) => {
      const over = share * opacity;
      const at = index * 4;
      const mixed = (offset: number, value: number) => {
        painted[at + offset] = (painted[at + offset] ?? 0) * (1 - over) + value * over;
      };
      mixed(0, red);
      mixed(1, green);
      mixed(2, blue);
      mixed(3, 255);
    });
  }

  return {
    areas(rings, colour) {
      for (const ring of rings) coverage.addRing(ring);
      paint(colour);
    },
    lines(lines, colour, lineWidth) {
      for (const line of lines) for (const piece of piecesOf(line, lineWidth)) coverage.addRing(piece);
      paint(colour);
    },
    dots(points, colour, radius) {
      for (const point of points) coverage.addRing(dotAround(point, radius));
      paint(colour);
    },
    circles(points, colour, [inner, outer]) {
      for (const point of points) {
        coverage.addRing(dotAround(point, outer));
        // What runs the other way round is taken out.
        if (inner > 0) coverage.addRing(dotAround(point, inner).toReversed());
      }
      paint(colour);
    },
    pixels() {
      const pixels = new Uint8Array(painted.length);
      for (let at = 0; at < painted.length; at += 4) {
        const alpha = painted[at + 3] ?? 0;
        if (alpha === 0) continue;
        for (let i = at; i < at + 3; i += 1) pixels[i] = Math.round(((painted[i] ?? 0) * 255) / alpha);
        pixels[at + 3] = Math.round(alpha);
      }
      return pixels;
    },
  };
}

/** Rectangles along a line, all in the same direction. */
function* piecesOf(line: readonly Pixel[], width: number): Generator<readonly Pixel[]> {
  let [fromX, fromY] = line[0] ?? [0, 0];
  for (const [index, [x, y]] of line.entries()) {
    const length = Math.hypot(x - fromX, y - fromY);
    if (length === 0 || (length < leastPiece && index < line.length - 1)) continue;
    const [sideX, sideY] = [((fromY - y) / length) * (width / 2), ((x - fromX) / length) * (width / 2)];
    yield [
      [fromX - sideX, fromY - sideY],
      [x - sideX, y - sideY],
      [x + sideX, y + sideY],
      [fromX + sideX, fromY + sideY],
    ];
    [fromX, fromY] = [x, y];
  }
}

function dotAround([x, y]: Pixel, radius: number): readonly Pixel[] {
  return Array.from({ length: corners }, (_, index): Pixel => {
    const angle = (index / corners) * 2 * Math.PI;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}
