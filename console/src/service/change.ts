/** One change: from which class to which; null is none. */
export interface Change {
  readonly from: number | null;
  readonly to: number | null;
}
