/** Size in metres of the standard pixel to which scale denominators in SLD refer. */
export const standardPixel = 0.00028;

/** The longest round length that fits (1, 2 or 5 times a power of ten), in metres, and its width in pixels. */
export function scaleBar(metresPerPixel: number, maxPixels: number): { metres: number; pixels: number } {
  const longest = metresPerPixel * maxPixels;
  const power = 10 ** Math.floor(Math.log10(longest));
  const metres = power * ([5, 2].find((step) => step * power <= longest) ?? 1);
  return { metres, pixels: metres / metresPerPixel };
}
