import { inputFindings } from '../../messages/landscape/inputs.ts';
import type { Band } from '../model/bands.ts';
import { isElevation, isNeverMissing } from '../graph/zoning-inputs.ts';
import { nodeByCode } from '../graph/graph.ts';
import { coveredShare, type Place } from './boxes.ts';
import { findingOf, type InputFinding, stops } from './finding.ts';
import { type BandStatistics, judgeValues } from './judge-values.ts';

/** What the service knows of a raster without reading it. */
export interface RasterFacts {
  /** Of its dataset. */
  readonly name: string;
  /** What was found in the file; undefined where that was not kept. */
  readonly file:
    | {
        readonly bands: number;
        readonly dataType: string;
        readonly hasReferenceSystem: boolean;
        readonly isPlaced: boolean;
      }
    | undefined;
  /** Undefined where that is not known. */
  readonly place: Place | undefined;
  /** The values of band 1; undefined where nothing counts them. */
  readonly values: BandStatistics | 'being counted' | 'not countable' | undefined;
}

/** A raster that a run would read for a band. */
export interface JudgedInput {
  readonly band: Band;
  readonly facts: RasterFacts;
}

/** Bands of bytes that a picture has at least. */
const bandsOfPicture = 3;
/** With less of the elevation covered it is rather a mistake than a hole. */
const usualCover = 0.5;

/**
 * Judges a raster by what its slot declares: first what stops a run, then what is odd about it. Only that stops which no run could
 * begin with, whatever else it reads. @param others all that the run reads, in the order of the graph
 */
export function judgeInput(
  { band, facts }: JudgedInput,
  others: readonly JudgedInput[],
): readonly InputFinding[] {
  const findings = [
    ...judgeFile(facts),
    ...judgeCounted(band, facts),
    ...judgePlace({ band, facts }, others),
  ];
  return [...findings.filter(stops), ...findings.filter((finding) => !stops(finding))];
}

/** Red, green and blue, and perhaps how opaque they are. */
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
  // The values of a picture are colours: more sentences about them would hide the one that matters.
  if (isPicture(file)) return [];
  return judgeValues(band, values, mayBeEmpty(band));
}

/** Runs begin without a value of those: what follows from an output may be empty as well. */
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
  // Of two that are apart, the later one says so.
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

function otherPlace({ band: { group, title }, facts: { name } }: JudgedInput, at: Place, own: Place) {
  return { group, title, name, box: at.box, own: own.box };
}
