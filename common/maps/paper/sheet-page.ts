import type { UnitLevel } from '../units/levels.ts';
import type { WordedLegend } from '../legend/model.ts';
import type { Extent, Polygons } from './albers.ts';
import type { NomenclatureSheet } from './nomenclature.ts';
import type { Orientation, PaperSize } from './papers.ts';
import type { Plane } from './planes.ts';

/** A row of hectares in a legend, as final text. */
export interface LegendRow {
  /** Null for a row without a colour on the map. */
  readonly colour: readonly [red: number, green: number, blue: number, opacity: number] | null;
  readonly label: string;
  readonly hectares: string;
  readonly share: string;
  /** Shares of the unit and of the whole dataset, 0 to 1, that an atlas shows as a bar with a mark. */
  readonly bar?: { readonly part: number; readonly whole: number } | undefined;
}

/** A legend without figures, below that of the first layer. */
export interface OtherLegend {
  readonly title: string;
  readonly legend: WordedLegend;
}

/** The last values of a unit in a table by KATO. */
export interface UnitTable {
  readonly title: string;
  /** With the length of its bar, 0 to 1; null for a cell without a number. */
  readonly rows: readonly { readonly period: string; readonly value: string; readonly part: number | null }[];
}

/** The annex of a decision that a sheet is, in the words of its client. */
export interface SheetAnnex {
  /** Lines above the title, at the right. */
  readonly lines: readonly string[];
  readonly signatures: readonly { readonly post: string; readonly name: string }[];
}

export interface SheetLegend {
  readonly title: string;
  /** Name of the area that these hectares belong to. */
  readonly of: string;
  readonly columns: { readonly hectares: string; readonly share: string };
  readonly rows: readonly LegendRow[];
  readonly total: Omit<LegendRow, 'colour'>;
}

/** A unit whose borders are drawn. */
export interface BorderedNeighbour {
  /** Empty for a unit without a name on the map. */
  readonly name: string;
  readonly level: UnitLevel;
  readonly polygons: Polygons;
}

/** The line of a border on paper. */
export interface BorderLine {
  readonly colour: string;
  /** In points, like the dashes. */
  readonly width: number;
  readonly dashes: readonly number[];
  /** True for a pale line around it, so that it shows on every colour. */
  readonly hasHalo?: boolean;
}

/** A map on a page of paper, with all texts in one language. */
export interface SheetPage {
  readonly denominator: number;
  readonly plane: Plane;
  /** Extent of the map in its plane. */
  readonly frame: Extent;
  /** The sheet of the state map that the page is; undefined for a map of any other extent. */
  readonly sheet: NomenclatureSheet | undefined;
  /** The map is pale outside of it. */
  readonly unit: Polygons | undefined;
  /** True if units within it have their names on the map. */
  readonly hasNamesInUnit: boolean;
  readonly neighbours: readonly BorderedNeighbour[];
  readonly borders: Readonly<Record<UnitLevel, BorderLine>>;
  readonly title: string;
  readonly subtitle: string;
  /** At the right of the head: state, run, page. */
  readonly headRight: readonly string[];
  /** Classes without figures are those of a vector. */
  readonly legend: SheetLegend | WordedLegend;
  readonly legendTitle: string;
  /** Legends of further layers and of borders. */
  readonly others: readonly OtherLegend[];
  readonly annex: SheetAnnex | undefined;
  /** Values of the unit in tables by KATO. */
  readonly tables: readonly UnitTable[];
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
  /** Height of the map if it needs no more, in points. */
  readonly mapHeight?: number | undefined;
  readonly index: AtlasIndex | undefined;
  readonly pages: readonly SheetPage[];
}
