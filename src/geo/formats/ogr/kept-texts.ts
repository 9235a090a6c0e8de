import type { Feature, Layer } from 'gdal-async';
import { JsonReader } from '../../../json/json-reader.ts';
import { bytesFrom } from '../geojson/geojson-file.ts';

const openBracket = 0x5b;
const openBrace = 0x7b;

/**
 * Creates a function that puts back what GDAL's GeoJSON writer has taken for more than a text: before GDAL 3.8 it writes
 * the text `[12]` as an array. The layer is read a second time as soon as there is one.
 * @param reopen opens the layer anew, so that two readings do not disturb each other.
 * @param jsonColumns the columns that hold JSON and not text.
 */
export function createTextKeeper(reopen: () => Layer, jsonColumns: ReadonlySet<string>) {
  let layer: Layer | undefined;
  let feature: Feature | null = null;
  let number = 0;

  function featureOf(wanted: number): Feature {
    layer ??= reopen();
    for (; number < wanted; number += 1) {
      feature?.destroy();
      feature = number === 0 ? layer.features.first() : layer.features.next();
    }
    if (feature === null) throw new Error(`feature ${wanted} is not there any more`);
    return feature;
  }

  /**
   * Returns the properties as GDAL wrote them, with all texts as they stand in the layer.
   * @param featureNumber counts from 1 and never falls.
   */
  return (properties: Buffer, featureNumber: number): Buffer => {
    if (!mayNest(properties)) return properties;
    const reader = new JsonReader(bytesFrom(properties), properties.length);
    const members: Buffer[] = [];
    for (const name of reader.members()) {
      const start = reader.peek();
      const value = reader.capture();
      const isText = (start === openBracket || start === openBrace) && !jsonColumns.has(name);
      const text: unknown = isText ? featureOf(featureNumber).fields.get(name) : undefined;
      const kept = typeof text === 'string' ? Buffer.from(JSON.stringify(text)) : value;
      members.push(Buffer.from(`${members.length === 0 ? '' : ','}${JSON.stringify(name)}:`), kept);
    }
    return Buffer.concat([Buffer.from('{'), ...members, Buffer.from('}')]);
  };
}

/** Looks for what stands before each array and object that GDAL writes; a text may hold it, too. */
function mayNest(properties: Buffer): boolean {
  return properties.includes('": [') || properties.includes('": {');
}
