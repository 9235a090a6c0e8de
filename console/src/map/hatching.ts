const side = 8;

/** The texture of "no data": stripes that no ramp has. */
export function hatching(): CanvasPattern | string {
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (context === null) return '#e4e4df';
  context.fillStyle = '#e4e4df';
  context.fillRect(0, 0, side, side);
  context.fillStyle = '#b9b9b2';
  // Two whole pixels of each row, so that a stripe has one colour and no blurred edge.
  for (let row = 0; row < side; row += 1) {
    context.fillRect((side - row) % side, row, 1, 1);
    context.fillRect((side - row + 1) % side, row, 1, 1);
  }
  return context.createPattern(canvas, 'repeat') ?? '#e4e4df';
}
