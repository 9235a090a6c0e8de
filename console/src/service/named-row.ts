/** A row of a table: the name of a place, and of the region that it is in where the table says it. */
export interface NamedRow {
  readonly name: string;
  readonly region: string | null;
}
