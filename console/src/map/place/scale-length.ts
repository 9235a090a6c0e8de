/** Metres of the pixel that denominators of scale in SLD speak of. */
export const standardPixel = 0.00028;

/** The longest round length (1, 2 or 5 times a power of ten) that fits, in metres, and how wide it is in pixels. */
export function scaleBar(metresPerPixel: number, maxPixels: number): { metres: number; pixels: number } {
  const longest = metresPerPixel * maxPixels;
  const power = 10 ** Math.floor(Math.log10(longest));
  const metres = power * ([5, 2].find((step) => step * power <= longest) ?? 1);
  return { metres, pixels: metres / metresPerPixel };
}
