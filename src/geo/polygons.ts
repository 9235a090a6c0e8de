/** A class of a raster, as the attributes of its zones say it. */
export interface ClassWords {
  readonly value: number;
  readonly zone: string | null;
  readonly sector: number | null;
  readonly titles: { readonly en: string; readonly ru: string; readonly kk: string };
}

/** What polygons are made of, and how. */
export interface PolygonsAsked {
  /** A stored COG; its first band has at most 256 different whole numbers. */
  readonly classesPath: string;
  /** COGs of the same grid with the suitability and the sensitivity of the land, which zones are described by. */
  readonly suitabilityPath: string | undefined;
  readonly sensitivityPath: string | undefined;
  /** The units that zones are cut by. */
  readonly cut:
    | {
        /** As that of `AreaTask`. */
        readonly unitsPath: string;
        /** A pixel belongs to a unit of the first of these sets that has one at its middle. */
        readonly sets: readonly string[];
        /** By id. */
        readonly names: Readonly<Record<string, string>>;
      }
    | undefined;
  /** Smaller zones are merged into their neighbours; 0 leaves all. */
  readonly minAreaM2: number;
  readonly maxZones: number;
  /** Of all outlines. */
  readonly maxPositions: number;
  readonly classes: readonly ClassWords[];
  /** Identifies the layer in the file. */
  readonly layer: string;
  /** The reference system of the raster is put behind it. */
  readonly description: string;
  /** ISO 8601, UTC: the same task makes the same bytes. */
  readonly changedAt: string;
}

/** Zones as polygons; square metres on the ellipsoid of WGS 84. */
export interface MadePolygons {
  /** A GeoPackage with the layer `zones`, in longitude and latitude. */
  readonly path: string;
  readonly zones: number;
  readonly positions: number;
  /** Zones that are smaller than the minimum, as they have no neighbour. */
  readonly belowMinimum: number;
  /** Ascending by value: contiguous zones and the area of their pixels before and after merging, and the area of their polygons. */
  readonly classes: readonly {
    readonly value: number;
    readonly before: { readonly zones: number; readonly pixels_m2: number };
    readonly after: { readonly zones: number; readonly pixels_m2: number };
    readonly polygons_m2: number;
  }[];
}
