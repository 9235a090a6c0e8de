import type { WordedLegend } from '../legend/model.ts';
import type { Extent, Polygons } from './albers.ts';
import type { Orientation, PaperSize } from './papers.ts';

/** A row of hectares in a legend, as final text. */
export interface LegendRow {
  /** `#rrggbb`; null for a row without a colour on the map, which is shown struck through. */
  readonly colour: readonly [red: number, green: number, blue: number, opacity: number] | null;
  readonly label: string;
  readonly hectares: string;
  readonly share: string;
}

export interface SheetLegend {
  readonly title: string;
  /** Name of the area that these hectares belong to. */
  readonly of: string;
  readonly columns: { readonly hectares: string; readonly share: string };
  readonly rows: readonly LegendRow[];
  readonly total: Omit<LegendRow, 'colour'>;
}

/** A map on a page of paper, with all texts in one language. */
export interface SheetPage {
  readonly denominator: number;
  /** Extent of the map in the plane of Albers. */
  readonly frame: Extent;
  /** The map is pale outside of it. */
  readonly unit: Polygons | undefined;
  readonly neighbours: readonly { readonly name: string; readonly polygons: Polygons }[];
  readonly title: string;
  readonly subtitle: string;
  /** At the right of the head: state, run, page. */
  readonly headRight: readonly string[];
  readonly legend: SheetLegend | Extract<WordedLegend, { kind: 'ramp' | 'colours' }>;
  readonly legendTitle: string;
  /** Sentences below the legend. */
  readonly notes: readonly string[];
  readonly sourcesTitle: string;
  readonly sources: readonly string[];
  /** Small print, such as ids. */
  readonly facts: readonly string[];
  /** Text across the map; undefined for an adopted run. */
  readonly watermark: string | undefined;
  readonly scale: string;
  readonly projection: string;
  readonly north: string;
  readonly units: { readonly kilometre: string; readonly metre: string };
  /** Link, also encoded as a QR code. */
  readonly address: string;
  readonly date: string;
}

export interface IndexRow {
  readonly name: string;
  readonly page: string;
  readonly scale: string;
  readonly hectares: string;
  readonly polygons: Polygons;
}

/** First pages of an atlas: an overview, and a list of its sheets. */
export interface AtlasIndex {
  readonly overview: SheetPage;
  readonly columns: Readonly<Record<'name' | 'page' | 'scale' | 'hectares', string>>;
  readonly rows: readonly IndexRow[];
}

/** A document of one sheet, or an atlas. */
export interface SheetDocument {
  readonly title: string;
  readonly size: PaperSize;
  readonly orientation: Orientation;
  readonly index: AtlasIndex | undefined;
  readonly pages: readonly SheetPage[];
}
