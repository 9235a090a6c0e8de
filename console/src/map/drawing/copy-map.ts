const paper = '#e9e7df';

/** Copies the current picture of a map into a canvas of the same size. A browser prints a picture unchanged, but not a live map. */
export function copyMap(map: Element, into: HTMLCanvasElement): void {
  const frame = map.getBoundingClientRect();
  const ratio = devicePixelRatio;
  into.width = Math.round(frame.width * ratio);
  into.height = Math.round(frame.height * ratio);
  const context = into.getContext('2d');
  if (context === null) return;
  context.fillStyle = paper;
  context.fillRect(0, 0, into.width, into.height);
  for (const canvas of map.querySelectorAll('canvas')) {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    if (canvas.width === 0 || width === 0) continue;
    context.globalAlpha = opacityOf(canvas, map);
    context.drawImage(
      canvas,
      (left - frame.left) * ratio,
      (top - frame.top) * ratio,
      width * ratio,
      height * ratio,
    );
  }
}

function opacityOf(canvas: HTMLElement, map: Element): number {
  let opacity = 1;
  for (let each: Element | null = canvas; each !== null && each !== map; each = each.parentElement)
    opacity *= each instanceof HTMLElement && each.style.opacity !== '' ? Number(each.style.opacity) : 1;
  return opacity;
}
