import { inputFindings } from '../../messages/runs/english.ts';
import type { DatumShift } from '../../geo/findings.ts';
import type { Band } from '../model/bands.ts';
import { isElevation, isNeverMissing } from '../graph/zoning-inputs.ts';
import { nodeByCode } from '../graph/graph.ts';
import { findingOf, type InputFinding, stops } from './finding.ts';
import { type BandStatistics, judgeValues } from './judge-values.ts';

/** The known facts about a raster, without reading it. */
export interface RasterFacts {
  /** Name of the dataset. */
  readonly name: string;
  /** Facts from the report about the file; undefined if they are not stored. */
  readonly file:
    | {
        readonly bands: number;
        readonly dataType: string;
        readonly hasReferenceSystem: boolean;
        readonly isPlaced: boolean;
        /** Number of rows of pixels. */
        readonly rows: number;
        /** Null for a raster on WGS 84; undefined when unknown. */
        readonly shift: DatumShift | null | undefined;
      }
    | undefined;
  /** Undefined when unknown. */
  readonly place: Place | undefined;
  /** Statistics of band 1; undefined when no statistics are counted. */
  readonly values: BandStatistics | 'being counted' | 'not countable' | undefined;
}

/** A raster that a run would read for a band. */
export interface JudgedInput {
  readonly band: Band;
  readonly facts: RasterFacts;
}

/** The minimum number of byte bands of a picture. */
const bandsOfPicture = 3;
/** The minimum covered share of the elevation; less coverage is probably a mistake, not a hole. */
const usualCover = 0.5;

/**
 * Checks a raster against the declaration of its slot: first the faults that stop a run, then warnings. Only a fault with which no run
 * could begin, whatever its other inputs, stops a run.
 * @param others all inputs of the run, in the order of the graph
 */
export function judgeInput(
  { band, facts }: JudgedInput,
  others: readonly JudgedInput[],
): readonly InputFinding[] {
  const findings = [
    ...judgeFile(facts),
    ...judgeCounted(band, facts),
    ...judgePlace({ band, facts }, others),
    ...judgeShift({ band, facts }, others),
  ];
  return [...findings.filter(stops), ...findings.filter((finding) => !stops(finding))];
}

/** Returns whether a file is a picture: red, green, blue, and possibly alpha. */
const isPicture = (file: RasterFacts['file']): boolean =>
  file !== undefined && file.bands >= bandsOfPicture && file.dataType === 'Byte';

function judgeFile({ file }: RasterFacts): InputFinding[] {
  if (file === undefined) return [];
  const { bands, hasReferenceSystem, isPlaced } = file;
  const found: InputFinding[] = [];
  if (!hasReferenceSystem || !isPlaced) {
    const sentence = isPlaced ? inputFindings.noReferenceSystem : inputFindings.noPlace;
    found.push(findingOf('stops', 'no_reference_system', sentence));
  }
  if (isPicture(file)) found.push(findingOf('stops', 'picture', inputFindings.picture(bands)));
  else if (bands > 1) found.push(findingOf('warns', 'several_bands', inputFindings.severalBands(bands)));
  return found;
}

function judgeCounted(band: Band, { file, values }: RasterFacts): InputFinding[] {
  if (values === undefined) return [];
  if (values === 'being counted') return [findingOf('waits', 'not_judged', inputFindings.beingCounted)];
  if (values === 'not countable') return [findingOf('warns', 'not_judged', inputFindings.notCounted)];
  // The values of a picture are colours: further findings would hide the relevant one.
  if (isPicture(file)) return [];
  return judgeValues(band, values, mayBeEmpty(band));
}

/** Returns whether runs accept a band without valid values; an output that depends on such a band may also be empty. */
const mayBeEmpty = (band: Band): boolean => isNeverMissing(band) || nodeByCode(band.key) !== undefined;

function judgePlace({ band, facts: { place } }: JudgedInput, others: readonly JudgedInput[]): InputFinding[] {
  if (place === undefined || isElevation(band)) return [];
  const reference = others.find((other) => isElevation(other.band));
  const grid = reference?.facts.place;
  if (reference === undefined || grid === undefined) return [];
  const share = coveredShare(grid, place);
  if (share === 0) {
    const severity = mayBeEmpty(band) ? 'warns' : 'stops';
    return [findingOf(severity, 'no_overlap', inputFindings.elsewhere(otherPlace(reference, grid, place)))];
  }
  if (isNeverMissing(band)) return [];
  // Of two disjoint rasters, only the later one has the finding.
  const before = others.slice(
    0,
    others.findIndex((other) => other.band.key === band.key),
  );
  for (const other of before) {
    const at = other.facts.place;
    if (at === undefined || isNeverMissing(other.band) || coveredShare(grid, at) === 0) continue;
    if (coveredShare(place, at) > 0) continue;
    return [findingOf('warns', 'no_overlap', inputFindings.apart(otherPlace(other, at, place)))];
  }
  return share < usualCover ? [findingOf('warns', 'little_overlap', inputFindings.littleOverlap(share))] : [];
}

const metresPerDegree = 111_195;

/** Warns of a raster whose datum and that of the elevation are brought together less accurately than by half a pixel of the elevation. */
function judgeShift({ band, facts }: JudgedInput, others: readonly JudgedInput[]): InputFinding[] {
  if (isElevation(band)) return [];
  const reference = others.find((other) => isElevation(other.band))?.facts;
  if (reference?.file === undefined || reference.place === undefined || facts.file === undefined) return [];
  const [one, other] = [facts.file.shift, reference.file.shift];
  // Rasters of one datum move together; of reports of an earlier release, the shift is unknown.
  if (one === undefined || other === undefined || one?.operation === other?.operation) return [];
  const [, south, , north] = reference.place.box;
  const pixelMetres = Math.round((10 * (north - south) * metresPerDegree) / reference.file.rows) / 10;
  const [worst] = [one, other]
    .flatMap((shift) =>
      shift?.name && shift.accuracy_m !== null ? [{ name: shift.name, metres: shift.accuracy_m }] : [],
    )
    .toSorted((a, b) => b.metres - a.metres);
  if (worst === undefined || worst.metres <= pixelMetres / 2) return [];
  return [
    findingOf('warns', 'coarse_shift', inputFindings.coarseShift(worst.name, worst.metres, pixelMetres)),
  ];
}

function otherPlace({ band: { group, title }, facts: { name } }: JudgedInput, at: Place, own: Place) {
  return { group, title, name, box: at.box, own: own.box };
}

/** Left, bottom, right and top; in degrees west, south, east and north, where west is greater than east across the antimeridian. */
export type Box = readonly [left: number, bottom: number, right: number, top: number];

/** The extent of a raster: on the earth, and in its own reference system. */
export interface Place {
  /** In degrees. */
  readonly box: Box;
  /** Undefined when unknown. */
  readonly plane: { readonly crs: string; readonly box: Box } | undefined;
}

/** Tolerance, in degrees, for boxes that are computed from outlines and across datums. */
const toleranceDegrees = 0.002;

/** Returns the share of a raster's box that another raster covers, in their reference system if they share one; 0 if they are disjoint. */
export function coveredShare(place: Place, by: Place): number {
  const [plane, other] = [place.plane, by.plane];
  if (plane !== undefined && plane.crs === other?.crs) return shareIn(plane.box, [other.box], 0);
  const [west, south, east, north] = unrolled(by.box);
  const turns = [-360, 0, 360].map((turn): Box => [west + turn, south, east + turn, north]);
  return shareIn(unrolled(place.box), turns, toleranceDegrees);
}

function unrolled([west, south, east, north]: Box): Box {
  return [west, south, east < west ? east + 360 : east, north];
}

/**
 * Returns the covered share of a box.
 * @param tolerance boxes with a smaller distance are not disjoint; if 0, boxes that share an edge are disjoint
 */
function shareIn([left, bottom, right, top]: Box, others: readonly Box[], tolerance: number): number {
  const shares = others.map((other) => {
    const width = Math.min(right, other[2]) - Math.max(left, other[0]) + tolerance;
    const height = Math.min(top, other[3]) - Math.max(bottom, other[1]) + tolerance;
    return width > 0 && height > 0 ? (width * height) / ((right - left) * (top - bottom)) : 0;
  });
  return Math.min(1, Math.max(...shares.map((share) => (Number.isNaN(share) ? 1 : share))));
}
