/** A class of a raster in the attributes of its zones. */
export interface ClassWords {
  readonly value: number;
  readonly zone: string | null;
  readonly sector: number | null;
  readonly titles: { readonly en: string; readonly ru: string; readonly kk: string };
}

/** Input and options of polygons. */
export interface PolygonsAsked {
  /** A stored COG whose first band has at most 256 distinct integers. */
  readonly classesPath: string;
  /** COGs of the same grid with suitability and sensitivity of the land, which become attributes of zones. */
  readonly suitabilityPath: string | undefined;
  readonly sensitivityPath: string | undefined;
  /** The units that cut zones. */
  readonly cut:
    | {
        /** See `AreaTask`. */
        readonly unitsPath: string;
        /** A pixel belongs to a unit of the first of these sets that has one at its centre. */
        readonly sets: readonly string[];
        /** By id. */
        readonly names: Readonly<Record<string, string>>;
      }
    | undefined;
  /** Smaller zones are merged into their neighbours; 0 merges nothing. */
  readonly minAreaM2: number;
  readonly maxZones: number;
  /** Limit for all outlines together. */
  readonly maxPositions: number;
  readonly classes: readonly ClassWords[];
  /** Id of the layer in the file. */
  readonly layer: string;
  /** The CRS of the raster is appended. */
  readonly description: string;
  /** ISO 8601 in UTC: equal tasks give equal bytes. */
  readonly changedAt: string;
}

/** Zones as polygons; square metres on the ellipsoid of WGS 84. */
export interface MadePolygons {
  /** A GeoPackage with the layer `zones`, in longitude and latitude. */
  readonly path: string;
  readonly zones: number;
  readonly positions: number;
  /** Number of zones below the minimum that have no neighbour to merge with. */
  readonly belowMinimum: number;
  /** Ascending by value: number of contiguous zones and their pixel area before and after merging, and the area of their polygons. */
  readonly classes: readonly {
    readonly value: number;
    readonly before: { readonly zones: number; readonly pixels_m2: number };
    readonly after: { readonly zones: number; readonly pixels_m2: number };
    readonly polygons_m2: number;
  }[];
}
