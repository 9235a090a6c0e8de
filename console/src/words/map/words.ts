import type { Undrawn } from '../../../../src/maps/style/undrawn.ts';

/** Every sentence of the map. */
export interface MapWords {
  readonly mapLabel: string;
  readonly openMap: string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly home: string;
  readonly layers: string;
  readonly noLayers: string;
  readonly add: string;
  readonly addTitle: string;
  readonly search: string;
  readonly close: string;
  readonly nothingToAdd: string;
  readonly nothingReady: string;
  readonly searching: string;
  readonly onlyFirst: (shown: number, total: number) => string;
  readonly listFailed: string;
  readonly again: string;
  readonly loading: string;
  readonly show: (name: string) => string;
  readonly up: (name: string) => string;
  readonly down: (name: string) => string;
  readonly opacity: (name: string) => string;
  readonly remove: (name: string) => string;
  readonly unnamed: string;
  readonly problem: Readonly<Record<LayerProblem, string>>;
  readonly undrawn: Readonly<Record<Undrawn, string>>;
  readonly keptNotDrawn: (parts: string) => string;
  readonly noData: string;
  readonly noDataNotDrawn: string;
  readonly others: string;
  readonly unnamedClass: string;
  readonly colours: string;
  readonly above: (from: string) => string;
  readonly below: (to: string) => string;
  readonly showOnly: (label: string) => string;
  readonly quantiles: string;
  readonly date: string;
  readonly play: string;
  readonly pause: string;
  readonly table: string;
  readonly tableOf: (name: string) => string;
  readonly unit: string;
  readonly code: string;
  readonly link: string;
  readonly linkCopied: string;
  readonly linkHere: string;
  readonly rank: (place: number, of: number) => string;
  readonly withoutDistrict: (codes: number, rows: number) => string;
  readonly baseFailed: string;
  readonly backgroundFailed: string;
  readonly readFailed: string;
  readonly chartOf: (name: string) => string;
  readonly metres: string;
  readonly kilometres: string;
  readonly keys: string;
  readonly nothingHere: string;
  readonly north: string;
  readonly east: string;
  readonly south: string;
  readonly west: string;
}

/** Why a layer cannot be shown; said in the row of the layer. */
export type LayerProblem =
  | 'gone'
  | 'not_ready'
  | 'no_place'
  | 'no_access'
  | 'away'
  /** A part of the page itself did not come. */
  | 'script'
  | 'unreadable'
  | 'bad_style'
  | 'no_band';
