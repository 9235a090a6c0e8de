import type { Transaction } from '../../database/tables/tables.ts';
import type { Message } from '../../lib/message.ts';
import { runFaults } from '../../messages/runs/english.ts';
import { type InputFinding, stops } from '../fitness/finding.ts';
import { readRasterFacts } from '../fitness/input-facts.ts';
import { judgeInput } from '../fitness/judge-input.ts';
import { bandByGroup } from '../graph/graph.ts';
import type { Band } from '../model/bands.ts';
import { isElevation } from '../graph/zoning-inputs.ts';
import type { PlannedInput } from '../runs/plan-schema.ts';

/** An input with which no run can begin, and the reason in the words of a run. */
export interface UnfitInput {
  readonly group: string;
  readonly error: Message;
}

interface JudgedInputs {
  /** Inputs with their findings. */
  readonly planned: readonly PlannedInput[];
  readonly unfit: readonly UnfitInput[];
}

/** Checks each input of a run against its slot, using known facts. */
export async function judgeInputs(trx: Transaction, planned: readonly PlannedInput[]): Promise<JudgedInputs> {
  const facts = await readRasterFacts(
    trx,
    planned.flatMap(({ dataset }) => dataset?.id ?? []),
  );
  const inputs = planned.flatMap(({ group, dataset }) => {
    const [band, known] = [bandByGroup(group), facts.get(dataset?.id ?? '')];
    return band === undefined || known === undefined ? [] : [{ band, facts: known }];
  });
  const unfit: UnfitInput[] = [];
  const judged = planned.map((input) => {
    const own = inputs.find(({ band }) => band.group === input.group);
    if (own === undefined) return { ...input, findings: [] };
    const findings = [...judgeInput(own, inputs)];
    const stop = findings.find(stops);
    if (stop !== undefined) {
      const error = errorOf(stop.code, { band: own.band, bands: own.facts.file?.bands ?? 0 });
      unfit.push({ group: input.group, error });
    }
    return { ...input, findings };
  });
  return { planned: judged, unfit };
}

/** Returns the error of a run with such an input, equal to the error after reading the raster. */
function errorOf(
  code: InputFinding['code'],
  { band, bands }: { readonly band: Band; readonly bands: number },
): Message {
  switch (code) {
    case 'no_reference_system':
      return isElevation(band) ? runFaults.referenceWithoutCrs : runFaults.noCrs(band.group);
    case 'picture':
      return runFaults.picture(band.group, bands);
    case 'no_overlap':
      return runFaults.noOverlap(band.group);
    default:
      return runFaults.noValidPixel(band.group);
  }
}
