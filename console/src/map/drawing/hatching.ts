/** Distance between stripes and width of a stripe, in screen pixels. The period divides the size of a tile. */
const stripePeriod = 8;
const stripeWidth = 2;

/** Returns whether a pixel lies on a stripe of hatched areas. */
export const isOnStripe = (column: number, row: number): boolean =>
  (column + row) % stripePeriod < stripeWidth;

/** Creates a pattern of stripes of the CSS colour `stripe` over `ground`; returns the colour of the ground where there is no canvas. */
export function stripes(ground: string, stripe: string): CanvasPattern | string {
  const canvas = document.createElement('canvas');
  canvas.width = stripePeriod;
  canvas.height = stripePeriod;
  const context = canvas.getContext('2d');
  if (context === null) return ground;
  // Whole pixels, so that a stripe has one colour and no blurred edge.
  for (let row = 0; row < stripePeriod; row += 1) {
    for (let column = 0; column < stripePeriod; column += 1) {
      context.fillStyle = isOnStripe(column, row) ? stripe : ground;
      context.fillRect(column, row, 1, 1);
    }
  }
  return context.createPattern(canvas, 'repeat') ?? ground;
}
