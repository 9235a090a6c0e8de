import type { WordedLegend } from '../legend/model.ts';
import type { Extent, Polygons } from './albers.ts';
import type { Orientation, PaperSize } from './papers.ts';

/** A row of hectares in a legend, in words. */
export interface LegendRow {
  /** `#rrggbb`, struck through when null: a row without a colour on the map. */
  readonly colour: readonly [red: number, green: number, blue: number, opacity: number] | null;
  readonly label: string;
  readonly hectares: string;
  readonly share: string;
}

export interface SheetLegend {
  readonly title: string;
  /** Whose hectares these are. */
  readonly of: string;
  readonly columns: { readonly hectares: string; readonly share: string };
  readonly rows: readonly LegendRow[];
  readonly total: Omit<LegendRow, 'colour'>;
}

/** A map on a page of paper, with all that is written on it, in the words of a language. */
export interface SheetPage {
  readonly denominator: number;
  /** What of the plane of Albers the map shows. */
  readonly frame: Extent;
  /** What is outside of it is pale. */
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
  /** Small facts, such as ids. */
  readonly facts: readonly string[];
  /** Across the map; undefined for what is adopted. */
  readonly watermark: string | undefined;
  readonly scale: string;
  readonly projection: string;
  readonly north: string;
  readonly units: { readonly kilometre: string; readonly metre: string };
  /** In the code that a telephone reads, and as a link. */
  readonly address: string;
  readonly date: string;
}

/** A row of the index of an atlas. */
export interface IndexRow {
  readonly name: string;
  readonly page: string;
  readonly scale: string;
  readonly hectares: string;
  readonly polygons: Polygons;
}

/** The first pages of an atlas: an overview, and where each sheet is. */
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
