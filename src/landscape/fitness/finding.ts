import { z } from 'zod';
import { readableText, Sentence } from '../../geo/findings.ts';
import { reportedMessage } from '../../geo/gather-findings.ts';
import type { Message } from '../../lib/message.ts';

/** Subjects of findings. Stable: clients match on these. */
const InputFindingCode = z.enum([
  'no_reference_system',
  'picture',
  'several_bands',
  'no_value',
  'out_of_range',
  'likely_factor',
  'unknown_classes',
  'no_overlap',
  'little_overlap',
  'not_judged',
]);
type InputFindingCode = z.infer<typeof InputFindingCode>;

const Severity = z
  .enum(['stops', 'warns', 'waits'])
  .describe(
    '`stops`: no run can read it; `warns`: a run does, and reads what is right; `waits`: not judged yet, ask again',
  );

/** A reason why a raster does not fit its slot, or may not fit it. */
export const InputFinding = z.object({
  code: InputFindingCode.describe('What it is about; stable'),
  severity: Severity,
  message: readableText(2000).describe('The same in a sentence, in the language of the request'),
  sentence: Sentence.optional().describe('The message as code and facts, for those who word it themselves'),
});
export type InputFinding = z.infer<typeof InputFinding>;

/** Makes a finding of a sentence. */
export function findingOf(
  severity: InputFinding['severity'],
  code: InputFindingCode,
  message: Message,
): InputFinding {
  return { code, severity, ...reportedMessage(message) };
}

/** True for a finding with which no run can begin. */
export const stops = ({ severity }: InputFinding): boolean => severity === 'stops';
