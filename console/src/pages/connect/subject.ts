/** A map that other programs draw by its tiles. */
export interface MapLayer {
  readonly name: string;
  /** Of a dataset or a group, without a slash at its end. */
  readonly address: string;
}

/** What other programs are connected to. */
export interface Subject {
  readonly kind: 'service' | 'dataset' | 'group' | 'run';
  /** Empty for the service. */
  readonly id: string;
  readonly name: string;
  /** Of a dataset. */
  readonly type?: 'raster' | 'vector' | 'vector_with_kato' | undefined;
  /** The address of the service, without a slash at its end. */
  readonly base: string;
  /** Whether requests need a token. */
  readonly hasTokens: boolean;
  readonly maps: readonly MapLayer[];
}

/** The address of the service, from that of the page. */
export function baseOf(pageAddress: string): string {
  return new URL('./', pageAddress).href.replace(/\/+$/, '');
}
