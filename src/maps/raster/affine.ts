/** From pixels to a CRS: x = x0 + column * dxColumn + row * dxRow, y likewise; (0, 0) is the outer corner of the first pixel. */
export interface Affine {
  readonly x0: number;
  readonly dxColumn: number;
  readonly dxRow: number;
  readonly y0: number;
  readonly dyColumn: number;
  readonly dyRow: number;
}

/** The place of a GeoTIFF as it states it; the numbers as in its tags. */
export interface PlaceTags {
  readonly pixelScale: ArrayLike<number> | undefined;
  readonly tiepoint: ArrayLike<number> | undefined;
  readonly transformation: ArrayLike<number> | undefined;
  /** The coordinates are those of pixel centres (RasterPixelIsPoint). */
  readonly isPoint: boolean;
}

const at = (numbers: ArrayLike<number>, index: number) => numbers[index] ?? 0;

/** The place of a raster, turned ones included. Undefined when it has none, or ground control points alone. */
export function affineOf({ pixelScale, tiepoint, transformation, isPoint }: PlaceTags): Affine | undefined {
  const affine = fromMatrix(transformation) ?? fromScale(pixelScale, tiepoint);
  if (affine === undefined) return undefined;
  const area = affine.dxColumn * affine.dyRow - affine.dxRow * affine.dyColumn;
  if (!Number.isFinite(area) || area === 0) return undefined;
  if (!isPoint) return affine;
  const { x0, y0, dxColumn, dxRow, dyColumn, dyRow } = affine;
  return { ...affine, x0: x0 - (dxColumn + dxRow) / 2, y0: y0 - (dyColumn + dyRow) / 2 };
}

function fromMatrix(matrix: ArrayLike<number> | undefined): Affine | undefined {
  if (matrix === undefined || matrix.length < 16) return undefined;
  return {
    dxColumn: at(matrix, 0),
    dxRow: at(matrix, 1),
    x0: at(matrix, 3),
    dyColumn: at(matrix, 4),
    dyRow: at(matrix, 5),
    y0: at(matrix, 7),
  };
}

function fromScale(
  scale: ArrayLike<number> | undefined,
  tie: ArrayLike<number> | undefined,
): Affine | undefined {
  if (scale === undefined || tie === undefined || scale.length < 2 || tie.length !== 6) return undefined;
  // Some writers give a negative height for rows that go down all the same; GDAL reads them so too.
  const [dxColumn, dyRow] = [at(scale, 0), -Math.abs(at(scale, 1))];
  return {
    dxColumn,
    dxRow: 0,
    x0: at(tie, 3) - at(tie, 0) * dxColumn,
    dyColumn: 0,
    dyRow,
    y0: at(tie, 4) - at(tie, 1) * dyRow,
  };
}

/** From the CRS to pixels: `[column, row]`, whole numbers at the outer corners of pixels. */
export function pixelOf(affine: Affine, x: number, y: number): readonly [number, number] {
  const { x0, y0, dxColumn, dxRow, dyColumn, dyRow } = affine;
  const area = dxColumn * dyRow - dxRow * dyColumn;
  const [dx, dy] = [x - x0, y - y0];
  return [(dx * dyRow - dy * dxRow) / area, (dy * dxColumn - dx * dyColumn) / area];
}
