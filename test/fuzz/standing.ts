/** How a request keeps to the description, in the order in which the service looks. */
export type Standing =
  /** Path or query break their schemas, or can not be read. */
  | { readonly kind: 'bad url'; readonly faults: readonly string[] }
  /** The body is not of its media type at all. */
  | { readonly kind: 'broken body'; readonly faults: readonly string[] }
  /** The body breaks its schema in these fields; in none of its own when it has too few. */
  | { readonly kind: 'bad fields'; readonly fields: readonly string[] }
  | { readonly kind: 'conforms' }
  /** What the description leaves open, such as what remains of a strange file name. */
  | { readonly kind: 'open' };
