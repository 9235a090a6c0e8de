import { formatLabel } from '../../../../common/maps/legend/labels.ts';
import { formatValue, type Language } from '../../../../common/formats/numbers.ts';
import { type ColourMap, cssOf, type Rgba } from '../../../../common/maps/style/colour-map.ts';
import { colourAt } from '../../../../common/maps/raster/raw-colours.ts';
import { classLabel, datasetName, datasetUnit } from '../../service/graph-words.ts';
import { stopNames } from './stop-names.ts';
import { formatPeriod } from '../../../../common/formats/days.ts';
import { copyMap } from '../drawing/copy-map.ts';
import { stripes } from '../drawing/hatching.ts';
import type { LoadedLayer } from '../layers/layer-model.ts';
import { scaleBar } from '../place/scale-length.ts';
import type { MapLocale } from '../words/words.ts';

interface PictureOptions {
  /** The element of the map. */
  readonly map: Element;
  /** The visible layers, the uppermost first. */
  readonly layers: readonly LoadedLayer[];
  /** The date that is shown, in words; undefined where the map has none. */
  readonly date: string | undefined;
  /** Resolution at the centre of the map. */
  readonly metresPerPixel: number | undefined;
  /** The current day, in words. */
  readonly today: string;
  readonly locale: MapLocale;
}

const margin = 24;
const line = 20;
const asideWidth = 300;
/** Below this width, the legend is below the map. */
const leastBeside = 560;
const [ink, muted] = ['#1d2733', '#56616b'] as const;
const fontOf = (size: number, weight = 400) =>
  `${weight} ${size}px "Golos Text Variable", system-ui, sans-serif`;

/**
 * Draws the visible map with title, legend, scale, sources and date, at twice the resolution of a standard screen.
 * @returns a PNG; undefined without a canvas
 */
export async function mapPicture(options: PictureOptions): Promise<Blob | undefined> {
  const { map, layers, date, locale } = options;
  const frame = map.getBoundingClientRect();
  const isBeside = frame.width >= leastBeside;
  const width = frame.width + 2 * margin + (isBeside ? asideWidth : 0);
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  const picture = document.createElement('canvas');
  copyMap(map, picture);
  await document.fonts.ready;
  // The height of the column beside the map is known only after it has been laid out.
  const legendAt = isBeside ? margin * 1.5 + frame.width : margin;
  const legendWidth = isBeside ? asideWidth - margin / 2 : frame.width;
  const title = layers.map(({ dataset }) => datasetName(dataset)).join(' · ');
  const draw = (isDrawn: boolean): number => {
    const pen = penOf(context, isDrawn);
    let y = margin;
    y = pen.write(title, { x: margin, y, width: width - 2 * margin, font: fontOf(22, 600), lineHeight: 28 });
    if (date !== undefined) y = pen.write(date, { x: margin, y, width: width - 2 * margin, colour: muted });
    const top = y + 10;
    const bottom = top + frame.height;
    if (isDrawn) {
      context.drawImage(picture, margin, top, frame.width, frame.height);
      context.strokeStyle = '#7a837c';
      context.strokeRect(margin + 0.5, top + 0.5, frame.width - 1, frame.height - 1);
    }
    let legendEnd = isBeside ? top : bottom + 12;
    for (const layer of layers)
      legendEnd = drawLegend(pen, layer, {
        isNamed: layers.length > 1,
        x: legendAt,
        y: legendEnd,
        width: legendWidth,
        locale,
      });
    let foot = Math.max(bottom, legendEnd) + 14;
    foot = drawScale(pen, options, foot);
    for (const text of [...layers.map((layer) => sourceOf(layer, locale.language)), options.today])
      foot = pen.write(text, {
        x: margin,
        y: foot,
        width: width - 2 * margin,
        font: fontOf(12),
        colour: muted,
        lineHeight: 16,
      });
    return foot + margin;
  };
  const height = draw(false);
  const scale = Math.max(2, devicePixelRatio);
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.scale(scale, scale);
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  draw(true);
  return await new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/png'));
}

interface TextBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly font?: string;
  readonly colour?: string;
  readonly lineHeight?: number;
}

type PlainBox = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

type PicturePen = ReturnType<typeof penOf>;

/** Creates a pen that draws text and rectangles, or only measures their height. */
function penOf(context: CanvasRenderingContext2D, isDrawn: boolean) {
  return {
    /** Writes a text in lines of a given width, and returns the position of the next line. */
    write(
      text: string,
      { x, y, width, font = fontOf(14), colour = ink, lineHeight = line }: TextBox,
    ): number {
      context.font = font;
      context.fillStyle = colour;
      context.textBaseline = 'top';
      let at = y;
      for (const part of linesOf(context, text, width)) {
        if (isDrawn) context.fillText(part, x, at);
        at += lineHeight;
      }
      return at;
    },
    fill(style: string | CanvasPattern | CanvasGradient, { x, y, width, height }: PlainBox): void {
      if (!isDrawn) return;
      context.fillStyle = style;
      context.fillRect(x, y, width, height);
      context.strokeStyle = 'rgba(29, 39, 51, 0.35)';
      context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
    },
    gradient: (x: number, width: number) => context.createLinearGradient(x, 0, x + width, 0),
  };
}

/** Breaks a text into lines between words; a word that is too long for a line is split. */
function linesOf(context: CanvasRenderingContext2D, text: string, width: number): readonly string[] {
  const fits = (part: string): boolean => context.measureText(part).width <= width;
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (fits(longer)) {
      current = longer;
      continue;
    }
    if (current !== '') lines.push(current);
    current = '';
    for (const letter of word) {
      if (current !== '' && !fits(current + letter)) {
        lines.push(current);
        current = '';
      }
      current += letter;
    }
  }
  return current === '' ? lines : [...lines, current];
}

interface LegendBox {
  /** True if its name is written above it. */
  readonly isNamed?: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly locale: MapLocale;
}

function drawLegend(
  pen: PicturePen,
  layer: LoadedLayer,
  { isNamed = true, x, y: top, width, locale }: LegendBox,
): number {
  const { legend, dataset, kind, hatched } = layer;
  const { words } = locale;
  const unit = datasetUnit(dataset) ?? '';
  let y = isNamed ? pen.write(datasetName(dataset), { x, y: top, width, font: fontOf(14, 600) }) : top;
  if (unit !== '') y = pen.write(unit, { x, y, width, font: fontOf(12), colour: muted });
  const row = (style: string | CanvasPattern, text: string): void => {
    pen.fill(style, { x, y: y + 1, width: 22, height: 14 });
    y = pen.write(text, { x: x + 30, y, width: width - 30 });
  };
  if (legend.kind === 'classes') {
    for (const entry of legend.entries) {
      if (entry.isHidden) continue;
      const colour = cssOf(entry.colour);
      row(
        hatched?.has(colour) === true ? stripes(colour, '#ffffff') : colour,
        formatLabel(classLabel(dataset, entry), locale),
      );
    }
  }
  if (legend.kind === 'ramp') {
    y = drawRamp(pen, legend.stops, { x, y, width, locale });
    for (const { colour, label } of stopNames(dataset, legend.stops)) row(cssOf(colour), label);
  }
  if (legend.kind === 'colours') y = pen.write(words.colours, { x, y, width });
  if (kind === 'units') row(stripes('#e4e4df', '#b9b9b2'), words.noData);
  if (kind === 'raster')
    y = pen.write(words.noDataNotDrawn, { x, y, width, font: fontOf(12), colour: muted });
  return y + 12;
}

type Stops = readonly { readonly value: number; readonly colour: Rgba }[];

function drawRamp(pen: PicturePen, stops: Stops, { x, y, width, locale }: LegendBox): number {
  const [least, greatest] = [stops[0]?.value ?? 0, stops.at(-1)?.value ?? 1];
  const colours: ColourMap = { kind: 'ramp', stops: stops.map((stop) => ({ ...stop, label: '' })) };
  const long = Math.min(width, 240);
  const gradient = pen.gradient(x, long);
  for (let part = 0; part <= 32; part += 1)
    gradient.addColorStop(part / 32, cssOf(colourAt(colours, least + ((greatest - least) * part) / 32)));
  pen.fill(gradient, { x, y: y + 1, width: long, height: 14 });
  const ends = [least, (least + greatest) / 2, greatest].map((value) => formatValue(value, locale.language));
  return pen.write(ends.join(' … '), { x, y: y + 18, width });
}

function drawScale(
  pen: PicturePen,
  { metresPerPixel, locale: { words, language } }: PictureOptions,
  y: number,
): number {
  if (metresPerPixel === undefined || !Number.isFinite(metresPerPixel)) return y;
  const { metres, pixels } = scaleBar(metresPerPixel, 160);
  const text =
    metres >= 1000
      ? `${formatValue(metres / 1000, language)} ${words.kilometres}`
      : `${formatValue(metres, language)} ${words.metres}`;
  pen.fill(ink, { x: margin, y: y + 6, width: pixels, height: 4 });
  return pen.write(text, { x: margin + pixels + 10, y, width: 200, font: fontOf(12) }) + 2;
}

/** Members of `meta` that name the source of data, as on sheets of paper. */
const named = ['source', 'attribution', 'copyright', 'license', 'licence'] as const;

/** A line on the source of a layer: its name, its period, and the source in its `meta`. */
function sourceOf({ dataset }: LoadedLayer, language: Language): string {
  const meta: Readonly<Record<string, unknown>> = Object(dataset.meta);
  const sourceTexts = named.flatMap((name) => {
    const text = meta[name];
    return typeof text === 'string' && text !== '' ? [text.slice(0, 200)] : [];
  });
  const period = formatPeriod(dataset.start_date, dataset.end_date, language);
  return [datasetName(dataset), ...(period === undefined ? [] : [period]), ...sourceTexts].join(' · ');
}
