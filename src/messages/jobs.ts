import { sentences } from './define.ts';

/** Why a job has failed for good. */
export const jobFailures = sentences('job', {
  unstorableValue:
    'The file holds a value that cannot be stored, such as a number or a date out of all bounds or a text that is far too long. Check its values, correct or remove what is out of the ordinary, and upload it again.',
  engineDeath:
    'Reading this file ended the geodata engine three times in a row, so it was given up. The file may be damaged, or need more memory than the engine may use: check it, make it simpler or smaller, and upload it again.',
  unexpected: (jobId: string) =>
    `Processing failed several times for a reason that is not the file's. Try it again later; the operator of the service finds the reason in its log under ${jobId}.`,
  untold: 'The file cannot be processed; check it, and upload it again.',
});
