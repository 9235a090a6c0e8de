import { z } from 'zod';
import { readableText, Sentence } from '../../geo/findings.ts';
import { reportedMessage } from '../../geo/gather-findings.ts';
import type { Message } from '../../lib/message.ts';

/** Codes of findings. They are stable, because clients match on them. */
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
  'coarse_shift',
  'not_judged',
]);
type InputFindingCode = z.infer<typeof InputFindingCode>;

const Severity = z
  .enum(['stops', 'warns', 'waits'])
  .describe(
    'The severity; `stops`: no run can read it; `warns`: a run reads it with valid results; `waits`: not checked yet, ask again',
  );

/** A reason why a raster does not, or may not, fit its slot. */
export const InputFinding = z.object({
  code: InputFindingCode.describe('Code of the finding; stable'),
  severity: Severity,
  message: readableText(2000).describe('The finding as a sentence, in the language of the request'),
  sentence: Sentence.optional().describe('The message as code and facts, for clients with their own texts'),
});
export type InputFinding = z.infer<typeof InputFinding>;

/** Creates a finding from a sentence. */
export function findingOf(
  severity: InputFinding['severity'],
  code: InputFindingCode,
  message: Message,
): InputFinding {
  return { code, severity, ...reportedMessage(message) };
}

/** Returns whether a finding prevents a run. */
export const stops = ({ severity }: InputFinding): boolean => severity === 'stops';
