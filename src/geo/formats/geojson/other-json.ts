import { KiB } from '../../../lib/units.ts';
import type { Problem } from '../../../lib/errors.ts';
import type { JsonReader } from '../../../json/json-reader.ts';
import { otherJson } from '../../../messages/contents/english.ts';

const openBrace = 0x7b;
const openBracket = 0x5b;
const quote = 0x22;
const emptyValues = /^(?:null|false|0|"")$/;
const errorNames = ['error', 'errors', 'exception', 'exceptions', 'fault'] as const;

/** Members of the outermost object that identify a file's format; all others are ignored. */
const telling: ReadonlySet<string> = new Set(
  `@context @graph $schema $defs openapi swagger asset geometricError root meshes scenes nodes baseMap operationalLayers
   collections links currentVersion dependencies devDependencies scripts displayFieldName fieldAliases geometryType
   objectIdFieldName spatialReference featureSet rings paths elements osm3s generator features layers sources version
   stac_version tilejson message detail title status code description ${errorNames.join(' ')}`.split(/\s+/),
);
const maxNameLetters = KiB;

/** Members of the outermost object of a JSON file that GeoJSON does not define. */
export class OtherMembers {
  readonly #names = new Set<string>();
  #records: string | undefined;
  #wrapped: string | undefined;
  /** True if a feature has "attributes", like those of Esri. */
  hasAttributes = false;

  /** Records a member by name. */
  name(key: string): void {
    if (telling.has(key)) this.#names.add(key);
  }

  /** Skips the value of a member and records its kind. */
  pass(reader: JsonReader, key: string): void {
    const byte = reader.peek();
    const name = key.slice(0, maxNameLetters);
    if (errorNames.some((error) => error === key)) {
      if (hasContents(reader)) this.#names.add(key);
      return;
    }
    this.name(key);
    if (byte === openBracket) {
      let index = 0;
      for (const _ of reader.elements()) {
        if (index === 0 && reader.peek() === openBrace) {
          this.#records ??= name;
          if (typeOf(reader) === 'Feature') this.#wrapped ??= name;
        } else reader.skip();
        index += 1;
      }
    } else if (byte === openBrace) {
      const type = typeOf(reader);
      if (type === 'FeatureCollection' || type === 'Feature') this.#wrapped ??= name;
    } else reader.skip();
  }

  /** Returns the problem of a file with this type, or without one; undefined for an unknown type. */
  problem(type: string | undefined): Problem | undefined {
    return (
      byType(type) ?? this.#ofMap() ?? this.#ofContents(type) ?? this.#ofDescription() ?? this.#ofAnswer()
    );
  }

  #has(...names: readonly string[]): boolean {
    return names.every((name) => this.#names.has(name));
  }

  #hasAny(...names: readonly string[]): boolean {
    return names.some((name) => this.#names.has(name));
  }

  #ofMap(): Problem | undefined {
    if (this.#has('stac_version')) return otherJson.stac();
    const isEsri = this.#hasAny('displayFieldName', 'fieldAliases', 'geometryType', 'spatialReference');
    if (
      this.hasAttributes ||
      this.#hasAny('featureSet') ||
      (isEsri && this.#hasAny('features', 'rings', 'paths'))
    )
      return otherJson.esriFeatures();
    if (isEsri || this.#hasAny('currentVersion', 'operationalLayers', 'baseMap', 'objectIdFieldName'))
      return otherJson.esriService();
    if (this.#has('elements') && this.#hasAny('osm3s', 'generator', 'version')) return otherJson.overpass();
    return undefined;
  }

  #ofContents(type: string | undefined): Problem | undefined {
    if (this.#hasAny('@context', '@graph')) return otherJson.jsonLd();
    if (this.#has('features') && type === undefined) return otherJson.untypedFeatures();
    return this.#wrapped === undefined ? undefined : otherJson.wrapped(this.#wrapped);
  }

  #ofDescription(): Problem | undefined {
    if (this.#has('tilejson')) return otherJson.tileJson();
    if (this.#has('version', 'layers', 'sources')) return otherJson.mapStyle();
    if (this.#has('asset') && this.#hasAny('geometricError', 'root', 'meshes', 'scenes', 'nodes'))
      return otherJson.model();
    if (this.#hasAny('$schema', '$defs', 'openapi', 'swagger')) return otherJson.schema();
    if (this.#hasAny('dependencies', 'devDependencies') || this.#has('scripts', 'version'))
      return otherJson.package();
    return undefined;
  }

  #ofAnswer(): Problem | undefined {
    const isLanding = this.#has('links') && (this.#has('collections') || this.#has('title', 'description'));
    if (isLanding) return otherJson.landingPage();
    const hasError = this.#hasAny(...errorNames);
    if (this.#records !== undefined && this.#records !== 'links' && !hasError)
      return otherJson.records(this.#records);
    const isAnswer = this.#hasAny('message', 'detail') || this.#has('title', 'status');
    return hasError || isAnswer || this.#has('code', 'description') ? otherJson.serviceError() : undefined;
  }
}

/** JSON formats that identify themselves in the "type" of the outermost object. */
function byType(type: string | undefined): Problem | undefined {
  switch (type) {
    case 'Topology':
      return otherJson.topoJson();
    case 'Coverage':
    case 'CoverageCollection':
    case 'Domain':
    case 'NdArray':
    case 'TiledNdArray':
      return otherJson.coverageJson();
    case 'CityJSON':
    case 'CityJSONFeature':
      return otherJson.cityJson();
    default:
      return /^(?:Bound|Compound|Engineering|Geodetic|Geographic|Projected|Vertical)CRS$/.test(type ?? '')
        ? otherJson.referenceSystem()
        : undefined;
  }
}

/** Skips the next object and returns its "type"; undefined for a long, hence unknown, one. */
function typeOf(reader: JsonReader): string | undefined {
  let type: string | undefined;
  for (const key of reader.members()) {
    if (key === 'type' && reader.peek() === quote) type = headOf(reader).slice(1, -1);
    else reader.skip();
  }
  return type;
}

/** Skips the next value and returns whether it has contents. */
function hasContents(reader: JsonReader): boolean {
  const byte = reader.peek();
  if (byte !== openBrace && byte !== openBracket) return !emptyValues.test(headOf(reader));
  let count = 0;
  for (const _ of byte === openBrace ? reader.members() : reader.elements()) {
    reader.skip();
    count += 1;
  }
  return count > 0;
}

/** Skips the next value; returns its text if it is short. */
function headOf(reader: JsonReader): string {
  const value = reader.capture();
  return value.length <= KiB ? value.toString() : '…';
}
