/** A map whose tiles other programs draw. */
export interface MapLayer {
  readonly name: string;
  /** Address of a dataset or a group, without a slash at its end. */
  readonly address: string;
}

/** The subject that other programs connect to. */
export interface Subject {
  readonly kind: 'service' | 'dataset' | 'group' | 'run';
  /** Empty for the service. */
  readonly id: string;
  readonly name: string;
  /** Type of a dataset. */
  readonly type?: 'raster' | 'vector' | 'vector_with_kato' | undefined;
  /** The address of the service, without a slash at its end. */
  readonly base: string;
  /** True if requests need a token. */
  readonly hasTokens: boolean;
  readonly maps: readonly MapLayer[];
}

/** Derives the address of the service from that of the page. */
export function baseOf(pageAddress: string): string {
  return new URL('./', pageAddress).href.replace(/\/+$/, '');
}
